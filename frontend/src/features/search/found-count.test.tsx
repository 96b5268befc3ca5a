import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderInApp } from "@/test-rendering";
import { FoundCount } from "./found-count";

const byWord = { keyword_rank: 1 };
const byMeaning = { keyword_rank: null };

it.each([
  ["Top 2 passages", [byMeaning, byWord], true],
  ["Top 2 passages", [byMeaning, byMeaning], false],
  ["Top 2 passages by meaning. None has your words.", [byMeaning, byMeaning], true],
  ["The passage closest in meaning. It has none of your words.", [byMeaning], true],
  ["", [], true],
])("says %j of %j", (text, hits, isHybrid) => {
  renderInApp(<FoundCount hits={hits} isHybrid={isHybrid} />);
  expect(screen.getByRole("status").textContent).toBe(text);
});
