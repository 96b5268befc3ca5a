import { expect, it } from "vitest";
import { placeOfQuote } from "./quote-place";

const page = (text: string) => ({ text, char_start: 100 });

it("finds selected words whatever the layout does to spaces, hyphens, ligatures and marks", () => {
  expect(placeOfQuote("the finaloffice.", "", page("😀 The fi-\nnal\noffice. Later"))).toEqual({
    start: 102,
    end: 121,
  });
  expect(placeOfQuote("ﬁnal", "", page("A final word"))).toEqual({ start: 102, end: 107 });
  expect(placeOfQuote("Rate 4 %", "", page("| Rate | 4 % |"))).toEqual({ start: 102, end: 110 });
});

it("takes the place that the screen shows, and nothing that the page does not have", () => {
  const text = page("a rope. Then a rope. And a rope.");
  expect(placeOfQuote("a rope", "a rope. Then ", text)).toEqual({ start: 113, end: 119 });
  expect(placeOfQuote("a rope", "a rope. Then a rope. And ", text)?.start).toBe(125);
  expect(placeOfQuote("a rope", "", text, 0.9)?.start).toBe(125);
  expect(placeOfQuote("a ferry", "", text)).toBeNull();
  expect(placeOfQuote(" – ", "", text)).toBeNull();
});
