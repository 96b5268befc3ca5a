import { describe, expect, it } from "vitest";
import { firstLines } from "./first-lines";

describe("the first lines of a page", () => {
  it("are without the marks of headings and tables", () => {
    const text = "# Rates\n\n\n\n| Kind | Rate |\n| --- | --- |\n| Fixed | 4 % |\n\nValid **until** May\tor June";
    expect(firstLines(text)).toBe("Rates\n\nKind · Rate\nFixed · 4 %\n\nValid until May · or June");
  });

  it("end with an ellipsis where more follows", () => {
    const lines = firstLines("word ".repeat(500));
    expect(lines.endsWith("word…")).toBe(true);
    expect(lines.length).toBeLessThanOrEqual(901);
  });

  it("are nothing for a page without text", () => {
    expect(firstLines(" \n\n")).toBe("");
  });
});
