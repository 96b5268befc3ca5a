import { expect, it } from "vitest";
import { headingOfPage, headingOfPassage, placeOfHeading } from "./heading-place";

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

it("finds the heading above a passage, also from a page before", () => {
  const headings = [
    { title: "Scope", level: 1, page_number: 2 },
    { title: "Roles", level: 1, page_number: 3 },
    { title: "The Board", level: 2, page_number: 3 },
    { title: "Reports", level: 1, page_number: 5 },
  ];
  const third = { ...page("of the bank\nRoles\nThree\nThe Board\nIt meets"), page_number: 3 };
  expect([100, 112, 118, 133].map((start) => headingOfPassage(headings, third, start))).toEqual([0, 1, 1, 2]);
  expect(headingOfPassage(headings, { ...page("more of it"), page_number: 4 }, 103)).toBe(2);
  expect([1, 2, 3, 4].map((number) => headingOfPage(headings, number))).toEqual([-1, 0, 1, 2]);
});
