import type { Citation, ClosestSource } from "./answer-stream";

/** A place in a document that is opened beside an answer. */
export interface Place {
  documentId: string;
  pageNumber: number;
  chunkId: string | undefined;
  /** Number of the citation. Absent for a passage that is only near. */
  number?: number;
  start?: number;
  end?: number;
}

export function placeOf(source: Citation | ClosestSource): Place {
  const place = {
    documentId: source.document_id,
    pageNumber: source.page_number,
    chunkId: source.chunk_id ?? undefined,
  };
  if (!("number" in source)) {
    const { char_start: start, char_end: end } = source;
    return typeof start === "number" && typeof end === "number" ? { ...place, start, end } : place;
  }
  const pageNumber = source.highlights[0]?.page_number ?? source.page_number;
  const cited = { ...place, pageNumber, number: source.number };
  // of a page that was read as a picture no words are known
  if (source.basis === "image") return cited;
  return { ...cited, start: source.char_start, end: source.char_end };
}
