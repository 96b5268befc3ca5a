import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderWithLinks } from "@/test-rendering";
import { Copies } from "./hit-card";

const copies = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    chunk_id: `c${index}`,
    document_id: `d${index}`,
    document: `lease ${index}.pdf`,
    title: null,
    collection: "Contracts",
    page_number: 2,
  }));

describe("the copies of a hit", () => {
  it("are linked at their page, with their collection", async () => {
    await renderWithLinks(<Copies copies={copies(1)} />, ["/documents/$documentId"]);
    const link = await screen.findByRole("link", { name: "lease 0.pdf" });
    expect(link).toHaveAttribute("href", "/documents/d0?page=2");
    expect(screen.getByText(/^Also in/)).toHaveTextContent("Also in lease 0.pdf (Contracts)");
  });

  it("are counted after the first three", async () => {
    await renderWithLinks(<Copies copies={copies(5)} />, ["/documents/$documentId"]);
    expect(await screen.findAllByRole("link")).toHaveLength(3);
    expect(screen.getByText(/^Also in/)).toHaveTextContent("and 2 more copies");
  });
});
