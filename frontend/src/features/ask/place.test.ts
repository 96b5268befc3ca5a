import { expect, it } from "vitest";
import type { Citation } from "./answer-stream";
import { placeOf } from "./place";

const citation = {
  number: 2,
  document_id: "d",
  chunk_id: null,
  page_number: 3,
  highlights: [{ page: 3, rects: [{ x: 0, y: 0, w: 1, h: 1 }] }],
  char_start: 10,
  char_end: 90,
};

it("opens a cited passage at its words", () => {
  const place = placeOf({ ...citation, basis: "text" } as Citation);
  expect(place).toEqual({
    documentId: "d",
    chunkId: undefined,
    pageNumber: 3,
    number: 2,
    start: 10,
    end: 90,
  });
});

it("opens a page that was read as a picture without marking any words", () => {
  const place = placeOf({ ...citation, basis: "image" } as Citation);
  expect(place).toEqual({ documentId: "d", chunkId: undefined, pageNumber: 3, number: 2 });
});
