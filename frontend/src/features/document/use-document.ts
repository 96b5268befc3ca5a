import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { $api } from "@/lib/api/client";
import { CURSOR_LIST, isAboutDocument } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";

export type DocumentRecord = components["schemas"]["DocumentResponse"];
export type ChunkRecord = components["schemas"]["ChunkResponse"];

const byId = (documentId: string) => ({ path: { document_id: documentId } });

export const documentQuery = (documentId: string) =>
  $api.queryOptions("get", "/api/v1/documents/{document_id}", { params: byId(documentId) });

export const useDocument = (documentId: string) => useQuery(documentQuery(documentId));

/** Refetch pages, chunks and outline when another version becomes current or is read. */
export function useFreshParts(document: DocumentRecord | undefined): void {
  const client = useQueryClient();
  const known = useRef<Pick<DocumentRecord, "id" | "version" | "status"> | undefined>(undefined);
  const { id, version, status } = document ?? {};
  useEffect(() => {
    if (id === undefined || version === undefined || status === undefined) return;
    const before = known.current;
    known.current = { id, version, status };
    if (before?.id !== id || (before.version === version && before.status === status)) return;
    void client.invalidateQueries({ predicate: (query) => isAboutDocument(query, id) });
  }, [client, id, version, status]);
}

export const useOutline = (documentId: string) =>
  $api.useQuery("get", "/api/v1/documents/{document_id}/outline", { params: byId(documentId) });

/** Every page's ledger entry, fetched a list page at a time. */
export function usePageLedger(documentId: string) {
  return $api.useInfiniteQuery(
    "get",
    "/api/v1/documents/{document_id}/pages",
    { params: { ...byId(documentId), query: { limit: 200 } } },
    CURSOR_LIST,
  );
}

function chunksQuery(documentId: string, pageNumber: number) {
  const params = { ...byId(documentId), query: { page_number: pageNumber, limit: 100 } };
  return $api.queryOptions("get", "/api/v1/documents/{document_id}/chunks", { params });
}

/** The chunks that touch a page. */
export const useChunks = (documentId: string, pageNumber: number, { isEnabled = true } = {}) =>
  useQuery({ ...chunksQuery(documentId, pageNumber), enabled: isEnabled });

/** Characters of a document's text. */
export interface TextRange {
  start: number | undefined;
  end: number | undefined;
}

const isRange = ({ start, end }: TextRange) => start !== undefined && end !== undefined && end > start;

function highlightsQuery(documentId: string, { start, end }: TextRange, { isPrinted = false } = {}) {
  const range = { char_start: start ?? 0, char_end: end ?? 1 };
  const params = { ...byId(documentId), query: isPrinted ? { ...range, is_printed: true } : range };
  const options = { staleTime: Number.POSITIVE_INFINITY };
  return $api.queryOptions("get", "/api/v1/documents/{document_id}/rectangles", { params }, options);
}

/** Return the rectangles of a text range on its pages, or on the printed pages of an Office file. */
export const useHighlights = (documentId: string, range: TextRange, options: { isPrinted?: boolean } = {}) =>
  useQuery({ ...highlightsQuery(documentId, range, options), enabled: isRange(range) });

/** Load the parts of a document that its page shows first, before anything is known of it. */
export function prefetchParts(
  client: QueryClient,
  documentId: string,
  page: number | undefined,
  range: TextRange,
): void {
  void client.prefetchQuery(chunksQuery(documentId, page ?? 1));
  if (isRange(range)) void client.prefetchQuery(highlightsQuery(documentId, range));
}

export function usePageText(documentId: string, pageNumber: number, { isEnabled }: { isEnabled: boolean }) {
  return $api.useQuery(
    "get",
    "/api/v1/documents/{document_id}/pages/{page_number}",
    { params: { path: { document_id: documentId, page_number: pageNumber } } },
    { enabled: isEnabled },
  );
}
