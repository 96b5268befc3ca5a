import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { FoundAnnouncement, FoundCount } from "./found-count";

const byWord = { keyword_rank: 1 };
const byMeaning = { keyword_rank: null };

it.each([
  ["Top 2 passages", [byMeaning, byWord], true],
  ["Top 2 passages", [byMeaning, byMeaning], false],
  ["Top 2 passages by meaning. None has your words.", [byMeaning, byMeaning], true],
  ["The passage closest in meaning. It has none of your words.", [byMeaning], true],
  ["", [], true],
])("says %j of %j", (text, hits, isHybrid) => {
  renderInApp(
    <div data-testid="place">
      <FoundCount hits={hits} isHybrid={isHybrid} />
    </div>,
  );
  expect(screen.getByTestId("place").textContent).toBe(text);
});

it.each([
  ["Top 2 passages", [byMeaning, byWord]],
  ["No results", []],
])("announces %j in a place that was empty before", async (text, hits) => {
  answerRequests({ "POST /api/v1/search": () => ({ data: hits }) });
  renderInApp(<FoundAnnouncement url={{ q: "fees" }} />);
  const place = screen.getByRole("status");
  expect(place).toBeEmptyDOMElement();
  await waitFor(() => expect(place).toHaveTextContent(text));
});
