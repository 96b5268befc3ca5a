import { expect, it } from "vitest";
import { readAskUrl } from "./ask-url";

const ID = "4b1d2a9e-52f5-4a7c-9d0e-0f6a2b7c8d9e";

it("reads the thread of an address", () => {
  expect(readAskUrl({ thread: ID })).toEqual({ thread: ID });
  expect(readAskUrl({ thread: " " })).toEqual({});
});

it.each(["foo", 123, `${ID}0`])("asks for a thread that does not exist if its id is unreadable: %s", (thread) => {
  expect(readAskUrl({ thread })).toEqual({ thread: "00000000-0000-0000-0000-000000000000" });
});
