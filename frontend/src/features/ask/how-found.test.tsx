import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderInApp } from "@/test-rendering";
import type { AnswerResponse } from "./answer-stream";
import { HowFound } from "./how-found";

const STEP = { input: "", output: "", hits: null, seconds: 0.25, model_seconds: 0, tokens: 18, problem: null };
const CELL = {
  id: "c1",
  search: "q1",
  label: "net profit",
  value: "41.2 million euro",
  period: "2023",
  document_id: "d",
  chunk_id: "k",
  document: "report.pdf",
  page_number: 4,
  char_start: 10,
  char_end: 30,
  highlights: [],
};

function show(trace: unknown, onOpen = vi.fn()) {
  const response = { metadata: { trace } } as unknown as AnswerResponse;
  renderInApp(<HowFound response={response} onOpen={onOpen} />);
  return onOpen;
}

it("shows steps, figures with their places, and the calculation", async () => {
  const onOpen = show({
    steps: [
      { ...STEP, kind: "plan", output: "2 searches" },
      { ...STEP, kind: "search", input: "q1: Net profit in 2023" },
    ],
    evidence: [CELL],
    rejected: [{ search: "q2", code: "quote_not_found" }],
    calculation: { expression: "q1 * 2", refusal: null, lines: [{ expression: "", result: "product = 82.4" }] },
    stopped_by: null,
  });
  expect(screen.getByText("How this was found")).toBeInTheDocument();
  expect(screen.getByText("q1: Net profit in 2023")).toBeInTheDocument();
  expect(screen.getByText("product = 82.4")).toBeInTheDocument();
  expect(screen.getByText(/1 figure of the model was rejected/)).toBeInTheDocument();
  await userEvent.click(screen.getByText(/report.pdf/));
  expect(onOpen).toHaveBeenCalledWith({ documentId: "d", pageNumber: 4, chunkId: "k", start: 10, end: 30 });
});

it("says why nothing was calculated, and which limit was reached", () => {
  const refusal = { code: "currency_mismatch", detail: "" };
  show({
    steps: [{ ...STEP, kind: "plan" }],
    evidence: [],
    rejected: [],
    calculation: { expression: "q1 - q2", refusal, lines: [] },
    stopped_by: "seconds",
  });
  expect(screen.getByText(/the currencies differ/)).toBeInTheDocument();
  expect(screen.getByText("Stopped: the time limit was reached.")).toBeInTheDocument();
});

it("shows nothing for an answer in one step", () => {
  show({ steps: [], evidence: [], rejected: [], calculation: null, stopped_by: null });
  expect(screen.queryByText("How this was found")).not.toBeInTheDocument();
});
