import { useQuery, useQueryClient } from "@tanstack/react-query";
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

/** Refetch pages, chunks and outline when another version becomes current. */
export function useFreshParts(document: DocumentRecord | undefined): void {
  const client = useQueryClient();
  const known = useRef<{ id: string; version: number } | undefined>(undefined);
  const { id, version } = document ?? {};
  useEffect(() => {
    if (id === undefined || version === undefined) return;
    const before = known.current;
    known.current = { id, version };
    if (before?.id !== id || before.version === version) return;
    void client.invalidateQueries({ predicate: (query) => isAboutDocument(query, id) });
  }, [client, id, version]);
}

export function useOutline(documentId: string) {
  return $api.useQuery("get", "/api/v1/documents/{document_id}/outline", { params: byId(documentId) });
}

/** Every page's ledger entry, fetched a list page at a time. */
export function usePageLedger(documentId: string) {
  return $api.useInfiniteQuery(
    "get",
    "/api/v1/documents/{document_id}/pages",
    { params: { ...byId(documentId), query: { limit: 200 } } },
    CURSOR_LIST,
  );
}

/** The chunks that touch a page. */
export function useChunks(documentId: string, pageNumber: number, { isEnabled = true } = {}) {
  const query = { page_number: pageNumber, limit: 100 };
  const params = { ...byId(documentId), query };
  return $api.useQuery("get", "/api/v1/documents/{document_id}/chunks", { params }, { enabled: isEnabled });
}

/** Characters of a document's text. */
export interface TextRange {
  start: number | undefined;
  end: number | undefined;
}

/** Return the rectangles of a text range on its pages. */
export function useHighlights(documentId: string, range: TextRange) {
  const { start, end } = range;
  return $api.useQuery(
    "get",
    "/api/v1/documents/{document_id}/rectangles",
    { params: { ...byId(documentId), query: { char_start: start ?? 0, char_end: end ?? 1 } } },
    { enabled: start !== undefined && end !== undefined && end > start, staleTime: Number.POSITIVE_INFINITY },
  );
}

export function usePageText(documentId: string, pageNumber: number, { isEnabled }: { isEnabled: boolean }) {
  return $api.useQuery(
    "get",
    "/api/v1/documents/{document_id}/pages/{page_number}",
    { params: { path: { document_id: documentId, page_number: pageNumber } } },
    { enabled: isEnabled },
  );
}
