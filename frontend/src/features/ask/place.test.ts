import { expect, it } from "vitest";
import type { Citation, ClosestSource } from "./answer-stream";
import { placeOf } from "./place";

const citation = {
  number: 2,
  document_id: "d",
  chunk_id: null,
  page_number: 3,
  highlights: [{ page_number: 3, rects: [{ x: 0, y: 0, w: 1, h: 1 }] }],
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

it("opens a closest passage at its best sentence, if it has one", () => {
  const passage = { document_id: "d", chunk_id: "c", page_number: 3, char_start: 20, char_end: 40 } as ClosestSource;
  expect(placeOf(passage)).toEqual({ documentId: "d", chunkId: "c", pageNumber: 3, start: 20, end: 40 });
  const unmarked = { ...passage, char_start: null, char_end: null };
  expect(placeOf(unmarked)).toEqual({ documentId: "d", chunkId: "c", pageNumber: 3 });
});
