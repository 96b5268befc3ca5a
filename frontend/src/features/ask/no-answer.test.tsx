import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderInApp } from "@/test-rendering";
import { AnswerPanel } from "./answer-panel";
import { type AnswerResponse, NOTHING_YET } from "./answer-stream";

const PASSAGE = {
  chunk_id: "c",
  document_id: "d",
  document: "travel.pdf",
  title: null,
  page_number: 3,
  section_heading: null,
  snippet: "Hotels are booked ahead. London has a limit of EUR 230. Meals are extra.",
  sentence: { start: 25, end: 55 },
};

function show(outcome: string, reason: string, hasFilters = false) {
  const response = {
    data: { outcome, answer_found: false, sentences: [], citations: [], nearest: [PASSAGE] },
    metadata: { reason, vision: null, coverage: {} },
  } as unknown as AnswerResponse;
  const answer = { ...NOTHING_YET, response };
  return renderInApp(
    <AnswerPanel answer={answer} isAsking={false} open={null} onOpen={() => undefined} hasFilters={hasFilters} />,
  );
}

it("says that there is no certain answer, and marks the closest sentence", () => {
  show("closest_passages", "weak_evidence");
  expect(screen.getByRole("status")).toHaveTextContent("No certain answer");
  expect(screen.getByRole("status")).toHaveTextContent("No single sentence answers this with certainty.");
  expect(screen.getByText("London has a limit of EUR 230.").tagName).toBe("MARK");
});

it("says that nothing was found only for a low confidence", () => {
  show("nothing_found", "weak_evidence");
  expect(screen.getByRole("status")).toHaveTextContent("Nothing found");
  expect(screen.getByRole("status")).not.toHaveTextContent("certain");
});

it("says that the passages are about another year or name", () => {
  show("nothing_found", "contradicted");
  expect(screen.getByRole("status")).toHaveTextContent("Nothing found");
  expect(screen.getByRole("status")).toHaveTextContent("The closest passages are about another year or name");
});

it("says what an underspecified question lacks", () => {
  show("nothing_found", "underspecified");
  expect(screen.getByRole("status")).toHaveTextContent("The question is too general. Name the thing");
});

it.each(["weak_evidence", "nothing_found"])("speaks of filters only if there are any (%s)", (reason) => {
  const { unmount } = show("nothing_found", reason);
  expect(screen.getByRole("status")).not.toHaveTextContent("filters");
  unmount();
  show("nothing_found", reason, true);
  expect(screen.getByRole("status")).toHaveTextContent("You can also remove filters.");
});

it("does not say that passages may answer a question to calculate or compare", () => {
  show("closest_passages", "not_calculated");
  expect(screen.getByRole("status")).toHaveTextContent("must be calculated or found by comparing rows");
  expect(screen.getByRole("status")).not.toHaveTextContent("may answer it");
});
