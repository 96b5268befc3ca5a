import { expect, it } from "vitest";
import { groupSizes } from "./groups";

const sizes = (ids: string) => groupSizes([...ids].map((id) => ({ document_id: id })));

it("groups only hits of one document that follow each other", () => {
  expect(sizes("")).toEqual([]);
  expect(sizes("abc")).toEqual([1, 1, 1]);
  expect(sizes("aaba")).toEqual([2, 0, 1, 1]);
  expect(sizes("abbb")).toEqual([1, 3, 0, 0]);
});
