import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderInApp } from "@/test-rendering";
import { AnswerPanel } from "./answer-panel";
import { type AnswerResponse, type AnswerSoFar, NOTHING_YET } from "./answer-stream";

const SENTENCES = [{ text: "Records are stored for ten years.", citations: [] }];

const panel = (answer: AnswerSoFar, isAsking: boolean) => (
  <AnswerPanel answer={answer} isAsking={isAsking} open={null} onOpen={() => undefined} />
);

it("announces the progress, then the answer, and not the buttons below it", () => {
  const { rerender } = renderInApp(panel(NOTHING_YET, true));
  const place = screen.getByRole("status");
  expect(place).toHaveTextContent("Looking for passages…");
  const response = {
    data: { outcome: "answered", answer_found: true, sentences: SENTENCES, citations: [], nearest: [] },
    metadata: { mode: "extractive", vision: null, coverage: {} },
  } as unknown as AnswerResponse;
  rerender(panel({ ...NOTHING_YET, sentences: SENTENCES, response } as AnswerSoFar, false));
  expect(screen.getByRole("status")).toBe(place);
  expect(place).toHaveAttribute("aria-atomic", "false");
  expect(place).toHaveTextContent(/^Records are stored for ten years/);
  expect(screen.getByRole("button", { name: "Copy with citations" }).closest("[aria-live]")).toHaveAttribute(
    "aria-live",
    "off",
  );
});
