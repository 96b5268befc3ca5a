import { useQuery } from "@tanstack/react-query";
import { $api, api } from "@/lib/api/client";
import { collectPages, keyOf, useInvalidate } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";
import { notifyError } from "@/shared/notify";

export type GoldenQuery = components["schemas"]["GoldenQueryResponse"];

const PAGE = 200;

/** A passage that a query found and that can get a star. */
export interface Place {
  query: string;
  documentId: string;
  chunkId: string;
  firstPage: number;
  lastPage: number;
}

/** List every mark of a query. */
const marksOf = (query: string) =>
  collectPages<GoldenQuery>((place) =>
    api.GET("/api/v1/evaluations/golden", { params: { query: { query, limit: PAGE, ...place } } }),
  );

export function useGoldenMutations() {
  const onSuccess = useInvalidate("golden");
  return {
    add: $api.useMutation("post", "/api/v1/evaluations/golden", { onSuccess, onError: notifyError }),
    remove: $api.useMutation("delete", "/api/v1/evaluations/golden/{golden_query_id}", {
      onSuccess,
      onError: notifyError,
    }),
  };
}

/** Return the golden query of a passage or its page, and a function that toggles it. */
export function useMark({ query, documentId, chunkId, firstPage, lastPage }: Place) {
  const wanted = query.trim();
  const { data = [] } = useQuery({
    queryKey: keyOf("/api/v1/evaluations/golden", { of: wanted }),
    queryFn: () => marksOf(wanted),
    enabled: wanted !== "",
  });
  const { add, remove } = useGoldenMutations();
  const own = data.filter((mark) => mark.document_id === documentId);
  const ofPassage = own.find(({ chunk }) => chunk?.chunk_id === chunkId);
  const ofPage = own.find(({ is_chunk, page_number: page }) => !is_chunk && firstPage <= page && page <= lastPage);
  const mark = ofPassage ?? ofPage;
  const place = { document: documentId, page_number: firstPage, chunk_id: chunkId };
  return {
    marked: ofPassage ? ("passage" as const) : ofPage ? ("page" as const) : null,
    isPending: add.isPending || remove.isPending,
    toggle: () =>
      mark
        ? remove.mutate({ params: { path: { golden_query_id: mark.id } } })
        : add.mutate({ body: { query: wanted, ...place } }),
  };
}
