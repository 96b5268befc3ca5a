import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderInApp } from "@/test-rendering";
import { VisionNote } from "./answer-panel";
import type { AnswerResponse, Citation } from "./answer-stream";
import { CitationList } from "./citation-list";

function show(vision: object | null) {
  const response = { metadata: { model: "m1", vision } } as unknown as AnswerResponse;
  return renderInApp(<VisionNote response={response} />);
}

const PAGES = [
  { document_id: "d", document: "chart.pdf", page_number: 1 },
  { document_id: "d", document: "chart.pdf", page_number: 4 },
];

it("says which pages were read as pictures and how many could not be shown", () => {
  show({ status: "answered", pages: PAGES, skipped_pages: [{ ...PAGES[0], code: "too_many_bytes" }] });
  const note = screen.getByRole("note");
  expect(note).toHaveTextContent("m1 read 2 page images. Check the pages before");
  expect(note).toHaveTextContent("chart.pdf, page 1 · chart.pdf, page 4");
  expect(note).toHaveTextContent("1 page was skipped.");
});

it("says that the model takes no pictures", () => {
  show({ status: "refused", pages: PAGES, skipped_pages: [] });
  expect(screen.getByRole("note")).toHaveTextContent("were not checked: m1 does not accept images");
});

it("is silent where no picture was needed", () => {
  show(null);
  expect(screen.queryByRole("note")).toBeNull();
});

it("shows of a citation by picture that nothing was held against the text", () => {
  const citation = { number: 1, document: "chart.pdf", page_number: 4, snippet: "", basis: "image" };
  renderInApp(<CitationList citations={[citation as Citation]} selected={undefined} onSelect={() => undefined} />);
  expect(screen.getByRole("button")).toHaveTextContent("From an image of this page");
});
