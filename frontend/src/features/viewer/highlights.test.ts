import { describe, expect, it } from "vitest";
import { lineHeight, paintHighlights, rotateHighlights, startOfPassage } from "./highlights";

const highlights = [
  {
    page_number: 2,
    rects: [
      { x: 0.1, y: 0.5, w: 0.2, h: 0.02 },
      { x: 0.1, y: 0.25, w: 0.3, h: 0.02 },
    ],
  },
  { page_number: 3, rects: [{ x: 0, y: 0.9, w: 1, h: 0.1 }] },
];

describe("highlights", () => {
  it("are painted on their own page only, as shares of it", () => {
    const page = document.createElement("div");
    paintHighlights(page, 2, highlights);
    const marks = [...page.querySelectorAll<HTMLElement>(".lectern-highlights > div")];
    expect(marks.map((mark) => mark.style.top)).toEqual(["50%", "25%"]);
  });

  it("replace what was painted before", () => {
    const page = document.createElement("div");
    paintHighlights(page, 2, highlights);
    paintHighlights(page, 2, []);
    expect(page.querySelector(".lectern-highlights")).toBeNull();
  });

  it("stay what they are when a page is drawn again, so that the mark does not move twice", () => {
    const page = document.createElement("div");
    paintHighlights(page, 2, highlights);
    const before = page.querySelector(".lectern-highlights");
    paintHighlights(page, 2, structuredClone(highlights));
    expect(page.querySelector(".lectern-highlights")).toBe(before);
    paintHighlights(page, 2, [{ page_number: 2, rects: [{ x: 0, y: 0.75, w: 1, h: 0.1 }] }]);
    expect(page.querySelectorAll(".lectern-highlights > div")).toHaveLength(1);
  });

  it("tell where the passage begins", () => {
    expect(startOfPassage(2, highlights)).toEqual({ x: 0.1, y: 0.25 });
    expect(startOfPassage(1, highlights)).toBeNull();
    expect(lineHeight(2, highlights)).toBe(0.02);
  });

  it("turn with their page", () => {
    const rects = (degrees: number) =>
      rotateHighlights([{ page_number: 1, rects: [{ x: 0.125, y: 0.25, w: 0.5, h: 0.0625 }] }], degrees)[0]?.rects;
    expect(rects(0)).toEqual([{ x: 0.125, y: 0.25, w: 0.5, h: 0.0625 }]);
    expect(rects(90)).toEqual([{ x: 0.6875, y: 0.125, w: 0.0625, h: 0.5 }]);
    expect(rects(180)).toEqual([{ x: 0.375, y: 0.6875, w: 0.5, h: 0.0625 }]);
    expect(rects(270)).toEqual([{ x: 0.25, y: 0.375, w: 0.0625, h: 0.5 }]);
  });
});
