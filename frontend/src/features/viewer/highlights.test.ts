import { describe, expect, it } from "vitest";
import { paintHighlights, topOfHighlight } from "./highlights";

const highlights = [
  {
    page: 2,
    rects: [
      { x: 0.1, y: 0.5, w: 0.2, h: 0.02 },
      { x: 0.1, y: 0.25, w: 0.3, h: 0.02 },
    ],
  },
  { page: 3, rects: [{ x: 0, y: 0.9, w: 1, h: 0.1 }] },
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

  it("tell where the passage begins", () => {
    expect(topOfHighlight(2, highlights)).toBe(0.25);
    expect(topOfHighlight(1, highlights)).toBeNull();
  });
});
