import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Document } from "@/features/documents/status/document-status";
import { $api } from "@/lib/api/client";
import { keyOf, useInvalidate } from "@/lib/api/keys";
import { type DocumentsSearch, toListQuery } from "./documents-search";

export const documentsQuery = (search: DocumentsSearch) =>
  $api.queryOptions("get", "/api/v1/documents", { params: { query: toListQuery(search) } });

/** Return the page of the list that the address names. The page before stays until it has arrived. */
export const useDocuments = (search: DocumentsSearch) =>
  useQuery({ ...documentsQuery(search), placeholderData: keepPreviousData });

/** Count the documents that match. */
export function useDocumentCount(search: DocumentsSearch): number | undefined {
  const query = { params: { query: { ...toListQuery(search), limit: 1 } } };
  return $api.useQuery("get", "/api/v1/documents", query).data?.total;
}

/** Count all documents, to tell an empty library from a filter without matches. */
export function useLibraryTotal(isEnabled: boolean) {
  const query = { params: { query: { limit: 1 } } };
  return $api.useQuery("get", "/api/v1/documents", query, { enabled: isEnabled }).data?.total;
}

interface ListPage {
  items: Document[];
}

/** Put a document as the API answered it into every list that shows it. */
export function replaceDocument(client: QueryClient, document: Document): void {
  client.setQueriesData<ListPage>({ queryKey: keyOf("/api/v1/documents") }, (page) => {
    const index = page?.items?.findIndex((item) => item.id === document.id) ?? -1;
    return page && index >= 0 ? { ...page, items: page.items.with(index, document) } : page;
  });
  client.setQueryData(
    keyOf("/api/v1/documents/{document_id}", { params: { path: { document_id: document.id } } }),
    (known: Document | undefined) => known && document,
  );
}

/** Changes of one document. */
export function useDocumentMutations() {
  const client = useQueryClient();
  const onChanged = useInvalidate("documents");
  const onSuccess = (document: Document) => replaceDocument(client, document);
  return {
    update: $api.useMutation("patch", "/api/v1/documents/{document_id}", {
      onSuccess: (document) => {
        replaceDocument(client, document);
        void onChanged();
      },
    }),
    ingest: $api.useMutation("post", "/api/v1/documents/{document_id}/ingest", { onSuccess }),
    cancelJob: $api.useMutation("post", "/api/v1/jobs/{job_id}/cancel", {
      onSuccess: () => void onChanged(),
    }),
  };
}
