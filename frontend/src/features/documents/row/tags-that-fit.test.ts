import { expect, it } from "vitest";
import { countThatFits } from "./tags-that-fit";

it.each([
  [[], 0],
  [["policy", "hr"], 2],
  [["human resources", "policy", "travel", "expenses"], 2],
  [["financial statements", "human resources"], 1],
  [["a", "b", "c", "d", "e"], 3],
  [["a name that is longer than the whole column of the table", "policy"], 1],
] as const)("of %j there is room for %i", (names, count) => {
  expect(countThatFits(names)).toBe(count);
});
