import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderInApp } from "@/test-rendering";
import type { Citation } from "./answer-stream";
import { AnswerText, splitByTables } from "./answer-text";

const source = (number: number) => ({ number, title: "Travel policy", page_number: 3, snippet: `Words of ${number}` });
const row = (number: number, cells: string[]) =>
  ({ ...source(number), table: { header: ["Place", "Limit"], rows: [cells] } }) as unknown as Citation;
const citations = [
  row(1, ["Zurich", "230"]),
  row(2, ["Milan", "165"]),
  { ...source(3), table: null } as unknown as Citation,
];
const sentences = [
  { text: "Place Limit … Zurich 230", citations: [1] },
  { text: "Milan 165", citations: [2] },
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
  const [, sentence] = screen.getAllByText(/Breakfast|included/);
  expect(sentence?.textContent).toMatch(/^included\W*3$/);
});

it("shows a single row of many columns from top to bottom, so that each value is in sight beside its name", () => {
  const header = ["Branch", "Town", "Opened", "Staff", "Rooms", "Rent", "Manager"];
  const cells = ["B-7", "Bergamo", "2011", "14", "9", "48,000", "Ada Riva"];
  const wide = { ...source(1), table: { header, rows: [cells] } } as unknown as Citation;
  const quoted = [{ text: cells.join(" "), citations: [1] }];
  renderInApp(<AnswerText sentences={quoted} citations={[wide]} selected={1} onSelect={vi.fn()} />);
  expect(screen.getAllByRole("row")).toHaveLength(7);
  expect(screen.getByRole("rowheader", { name: "Rent" }).parentElement).toHaveTextContent("Rent48,000");
  expect(screen.getByRole("row", { name: /Branch/ })).toHaveTextContent("BranchB-71");
});

it("turns a few rows that are too wide, each with its citation beside its name", async () => {
  const onSelect = vi.fn();
  const header = ["EUR thousand", "2025", "2024", "2023", "2022", "2021"];
  const profit = ["Net profit", "17,803", "14,457", "11,152", "10,286", "13,904"];
  const equity = ["Equity", "171,680", "159,077", "148,620", "140,968", "134,182"];
  const wide = [profit, equity].map(
    (cells, place) => ({ ...source(place + 1), table: { header, rows: [cells] } }) as unknown as Citation,
  );
  const quoted = [profit, equity].map((cells, place) => ({ text: cells.join(" "), citations: [place + 1] }));
  renderInApp(<AnswerText sentences={quoted} citations={wide} selected={1} onSelect={onSelect} />);
  expect(screen.getByRole("row", { name: /EUR thousand/ })).toHaveTextContent("EUR thousandNet profit1Equity2");
  expect(screen.getByRole("row", { name: /2021/ })).toHaveTextContent("202113,904134,182");
  await userEvent.click(screen.getByRole("button", { name: /2/ }));
  expect(onSelect).toHaveBeenCalledWith(2);
});

it("shows the source and its words beside a number that has the focus", async () => {
  renderInApp(<AnswerText sentences={sentences} citations={citations} selected={undefined} onSelect={vi.fn()} />);
  await userEvent.tab();
  expect(await screen.findByRole("tooltip")).toHaveTextContent("1. Travel policyPage 3Words of 1");
});

it("keeps sentences in other words or with several citations as text", () => {
  const own = [{ text: "In Zurich it is 230.", citations: [1] }];
  expect(splitByTables(own, citations)).toEqual([{ table: null, sentences: own }]);
  const both = [{ text: "Zurich 230 and Milan 165.", citations: [1, 2] }];
  expect(splitByTables(both, citations)).toEqual([{ table: null, sentences: both }]);
});
