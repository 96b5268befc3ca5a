import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Hit } from "@/features/search/use-search";
import { renderWithLinks } from "@/test-rendering";
import { markOf, PageCrop } from "./page-crop";

const line = (y: number) => ({ x: 0.1, y, w: 0.2, h: 0.02 });
const hit = (values: Partial<Hit> = {}) =>
  ({
    document: "a.pdf",
    document_id: "d1",
    title: "Policy",
    page_number: 3,
    page_images: "available",
    highlights: [{ page_number: 3, rects: [line(0.2), line(0.3)] }],
    snippet: { text: "", char_start: 0, char_end: 9, matches: [] },
    sentence: null,
    ...values,
  }) as unknown as Hit;

const show = (values: Partial<Hit> = {}) =>
  renderWithLinks(<PageCrop hit={hit(values)} position={1} results={{ q: "x" }} />, ["/documents/$documentId"]);

describe("the part of a page around a hit", () => {
  it("is fetched when it comes near, says what it shows and leads there", async () => {
    await show();
    const image = await screen.findByRole("img", { name: "Image of page 3 of Policy" });
    expect(image).toHaveAttribute("loading", "lazy");
    expect(image).toHaveAttribute("src", "/api/v1/documents/d1/pages/3/image?width=620");
    expect(image.closest("a")).toHaveAttribute("href", expect.stringMatching(/^\/documents\/d1\?page=3&/));
  });

  it("keeps its place when it cannot be drawn", async () => {
    const { container } = await show();
    fireEvent.error(await screen.findByRole("img"));
    expect(container.querySelector("[data-state='failed']")).not.toBeNull();
  });

  it("is not asked for where the file is protected by a password, which is said instead", async () => {
    const { container } = await show({ page_images: "locked" });
    expect(await screen.findByRole("img", { name: /^No page image/ })).toBeInTheDocument();
    expect(container.querySelector("img")).toBeNull();
  });

  it("is not asked for where pages have no picture", async () => {
    await show({ page_images: "none" });
    expect(screen.queryByRole("img")).toBeNull();
  });
});

describe("the mark", () => {
  it("is the sentence on its page, or else the passage", () => {
    const highlights = [{ page_number: 4, rects: [line(0.5)] }];
    const sentence = { start: 0, end: 4, char_start: 0, char_end: 4, basis: "words", highlights } as const;
    expect(markOf(hit({ sentence }))).toEqual({ page_number: 4, rects: [line(0.5)], isWash: false });
    expect(markOf(hit())).toEqual({ page_number: 3, rects: [line(0.2), line(0.3)], isWash: true });
    expect(markOf(hit({ highlights: [] }))).toEqual({ page_number: 3, rects: [], isWash: true });
  });
});
