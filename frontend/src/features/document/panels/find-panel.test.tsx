import { fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import type { Finding, FoundPlace } from "@/features/document/use-finding";
import { renderInApp } from "@/test-rendering";
import { FindPanel } from "./find-panel";

const place = (page: number, start: number): FoundPlace => ({
  page_number: page,
  char_start: start,
  char_end: start + 4,
  before: "the ",
  text: "fees",
  after: " of",
  highlights: [],
});

const finding = (places: FoundPlace[], total = places.length): Finding => ({
  places,
  total,
  isSettled: true,
  error: null,
  refetch: () => {},
  hasMore: false,
  isFetchingMore: false,
  fetchMore: () => {},
});

function Harness({ places }: { places: FoundPlace[] }) {
  const [start, setStart] = useState<number>();
  const [found] = useState(() => finding(places));
  return (
    <FindPanel
      documentId="d"
      words="fees"
      start={start}
      finding={found}
      onWords={() => {}}
      onSelect={(one) => setStart(one.char_start)}
    />
  );
}

describe("finding in a document", () => {
  it("shows the first place at once and goes on with Enter, back with Shift-Enter, round at the ends", () => {
    renderInApp(<Harness places={[place(1, 5), place(2, 90), place(7, 400)]} />);
    const field = screen.getByRole("searchbox", { name: "Find in this document" });
    const status = screen.getByRole("status");
    expect(status).toHaveTextContent("1 of 3");
    fireEvent.keyDown(field, { key: "Enter" });
    expect(status).toHaveTextContent("2 of 3");
    fireEvent.keyDown(field, { key: "Enter", shiftKey: true });
    fireEvent.keyDown(field, { key: "Enter", shiftKey: true });
    expect(status).toHaveTextContent("3 of 3");
    fireEvent.click(screen.getByRole("button", { name: "Next match" }));
    expect(status).toHaveTextContent("1 of 3");
  });

  it("lists each place with its page and its words, the current one marked", () => {
    renderInApp(<Harness places={[place(1, 5), place(2, 90)]} />);
    const second = screen.getByRole("button", { name: /Page 2/ });
    fireEvent.click(second);
    expect(second).toHaveAttribute("aria-current", "true");
    expect(second.querySelector("mark")).toHaveTextContent("fees");
  });

  it("parts the cells of a table by dots", () => {
    const row = { before: "Berth | Depth |\n| --- | --- |\n| North ", text: "quay", after: " | 4 m |\n| South quay" };
    renderInApp(<Harness places={[{ ...place(1, 5), ...row }]} />);
    expect(screen.getByRole("listitem")).toHaveTextContent("Berth · Depth · North quay · 4 m · South quay");
    const cells = { before: "Berth\tDepth\nNorth ", text: "quay", after: "\t4 m" };
    renderInApp(<Harness places={[{ ...place(1, 5), ...cells }]} />);
    expect(screen.getAllByRole("listitem").at(-1)).toHaveTextContent("Berth · Depth North quay · 4 m");
  });
});
