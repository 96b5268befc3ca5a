import { expect, it } from "vitest";
import { readDocumentUrl, withinPages } from "./document-url";

it("reads the search that led to a document, and leaves out what is none", () => {
  expect(readDocumentUrl({ results: { q: "rent", k: 5, other: 1 }, hit: 3 })).toEqual({
    results: { q: "rent", k: 5 },
    hit: 3,
  });
  expect(readDocumentUrl({ results: { k: 5 } })).toEqual({});
  expect(readDocumentUrl({ results: "rent", hit: 0, panel: "chunks", part: "none" })).toEqual({});
});

it("opens the last page for a link to one that is no more", () => {
  expect(withinPages({ page: 999, find: "fee" }, 5)).toEqual({ page: 5, find: "fee" });
  expect(withinPages({ page: 2 }, 5)).toEqual({ page: 2 });
  expect(withinPages({ page: 2 }, null)).toEqual({ page: 2 });
});
