import { expect, it } from "vitest";
import { readDocumentUrl } from "./document-url";

it("reads the search that led to a document, and leaves out what is none", () => {
  expect(readDocumentUrl({ results: { q: "rent", k: 5, other: 1 }, hit: 3 })).toEqual({
    results: { q: "rent", k: 5 },
    hit: 3,
  });
  expect(readDocumentUrl({ results: { k: 5 } })).toEqual({});
  expect(readDocumentUrl({ results: "rent", hit: 0, panel: "chunks", part: "none" })).toEqual({});
});
