import { describe, expect, it } from "vitest";
import { readableCharacters } from "@/lib/readable-text";
import { splitByMatches } from "./marked-text";

const shown = (text: string, matches: { start: number; end: number }[]) =>
  splitByMatches(readableCharacters(text), matches)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join("");

describe("matched terms", () => {
  it("are marked where they stand", () => {
    expect(shown("net sales rose", [{ start: 4, end: 9 }])).toBe("net [sales] rose");
  });

  it("are marked once where they overlap, and in any order", () => {
    expect(
      shown("abcdef", [
        { start: 3, end: 5 },
        { start: 0, end: 4 },
      ]),
    ).toBe("[abcd][e]f");
  });

  it("are counted in code points, not in halves of a character", () => {
    expect(shown("😀 ferie", [{ start: 2, end: 7 }])).toBe("😀 [ferie]");
  });

  it("what stands around the sentence steps back", () => {
    const parts = splitByMatches(Array.from("One. Two two. Three."), [{ start: 9, end: 12 }], { start: 5, end: 13 });
    expect(parts.filter((part) => part.isAside).map((part) => part.text)).toEqual(["One. ", " Three."]);
    expect(parts.filter((part) => part.isMatch).map((part) => part.text)).toEqual(["two"]);
  });

  it("a line that ends within the sentence goes on, one that ends it does not", () => {
    const parts = splitByMatches(Array.from("Rules\nThe Data\nOfficer decides.\nNext"), [], { start: 6, end: 31 });
    expect(parts.map((part) => part.text)).toEqual(["Rules\n", "The Data Officer decides.", "\nNext"]);
  });

  it("rows of a table and items of a list within the sentence begin lines of their own", () => {
    const text = "See these\nRole\tNotice\nCashier\t30 days\n• the first\ngoes on\n12. the last.";
    const sentence = { start: 0, end: text.length };
    expect(splitByMatches(readableCharacters(text), [], sentence).map((part) => part.text)).toEqual([
      "See these\nRole · Notice\nCashier · 30 days\n• the first goes on\n12. the last.",
    ]);
  });

  it("in Markdown headings are shown without the marks, and keep their offsets", () => {
    expect(shown("## Leaving\n\nThe notice\n#tag ####### x", [{ start: 16, end: 22 }])).toBe(
      "Leaving\n\nThe [notice]\n#tag ####### x",
    );
  });

  it("in a row of a table are marked in their cells", () => {
    expect(shown("Role\tNotice\nCashier\t30 days", [{ start: 20, end: 22 }])).toBe(
      "Role · Notice\nCashier · [30] days",
    );
  });

  it("beyond the end of the text do no harm", () => {
    expect(shown("abc", [{ start: 2, end: 99 }])).toBe("ab[c]");
  });
});
