import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderInApp } from "@/test-rendering";
import type { Citation } from "./answer-stream";
import { AnswerText, splitByTables } from "./answer-text";

const row = (number: number, cells: string[]) =>
  ({ number, table: { header: ["Place", "Limit"], rows: [cells] } }) as unknown as Citation;
const citations = [
  row(1, ["Zurich", "230"]),
  row(2, ["Milan", "165"]),
  { number: 3, table: null } as unknown as Citation,
];
const sentences = [
  { text: "Place Limit … Zurich 230", citations: [1] },
  { text: "Place Limit … Milan 165", citations: [2] },
  { text: "Breakfast is included.", citations: [3] },
];

it("shows rows below the same header as one table, each with its citation", async () => {
  const onSelect = vi.fn();
  renderInApp(<AnswerText sentences={sentences} citations={citations} selected={1} onSelect={onSelect} />);
  const [header, zurich, milan] = within(screen.getByRole("table")).getAllByRole("row");
  expect(header).toHaveTextContent("PlaceLimit");
  expect(zurich).toHaveTextContent("Zurich2301");
  expect(screen.queryByText(/…/)).toBeNull();
  await userEvent.click(within(milan as HTMLElement).getByRole("button"));
  expect(onSelect).toHaveBeenCalledWith(2);
  expect(screen.getByText(/Breakfast is included/)).toBeInTheDocument();
});

it("keeps sentences in other words or with several citations as text", () => {
  const own = [{ text: "In Zurich it is 230.", citations: [1] }];
  expect(splitByTables(own, citations)).toEqual([{ table: null, sentences: own }]);
  const both = [{ text: "Zurich 230 and Milan 165.", citations: [1, 2] }];
  expect(splitByTables(both, citations)).toEqual([{ table: null, sentences: both }]);
});
