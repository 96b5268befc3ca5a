import { expect, it } from "vitest";
import { readShortLink } from "./short-link";

it("reads document, page and characters of a short link", () => {
  expect(readShortLink("33cb58bf")).toEqual({ handle: "33cb58bf", search: {} });
  expect(readShortLink("33cb58bf/7")).toEqual({ handle: "33cb58bf", search: { page: 7 } });
  expect(readShortLink("33cb58bf/7/120-180")).toEqual({
    handle: "33cb58bf",
    search: { page: 7, start: 120, end: 180 },
  });
});

it("leaves the page of characters on several pages to the reader", () => {
  expect(readShortLink("33cb58bf/7-8/120-180")).toEqual({ handle: "33cb58bf", search: { start: 120, end: 180 } });
});

it("knows no other path", () => {
  for (const path of ["", "policy.pdf", "33cb58bf/x", "33cb58bf/7/120", "33cb58bf/7/1-2/3", "../keys"]) {
    expect(readShortLink(path)).toBeUndefined();
  }
});
