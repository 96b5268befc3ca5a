import { expect, it } from "vitest";
import { placeOfHeading } from "./heading-place";

const page = (text: string) => ({ text, char_start: 100 });

it("finds a heading that has a line of its own, in code points of the document", () => {
  expect(placeOfHeading("Bank loans", page("😀 bank loans grew\n\n7.\n Bank  loans \nThey"))).toEqual({
    start: 123,
    end: 134,
  });
  expect(placeOfHeading("Leave", page("We leave\n## Leave\ntext"))).toEqual({ start: 112, end: 117 });
});

it("takes a heading that begins a line of text, and none that the page does not have", () => {
  expect(placeOfHeading("Water (m³)", page("Water (m³) is scarce"))).toEqual({ start: 100, end: 110 });
  expect(placeOfHeading("Timber", page("Water"))).toBeNull();
  expect(placeOfHeading("  ", page("Water"))).toBeNull();
});
