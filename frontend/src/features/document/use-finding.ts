import { keepPreviousData } from "@tanstack/react-query";
import { $api } from "@/lib/api/client";
import { CURSOR_LIST } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";

export type FoundPlace = components["schemas"]["FoundWords"];

const PAGE = 100;
/** The API counts no further. */
export const MOST_PLACES = 10_000;

/** The places where the words stand in a document, in reading order. */
export function useFinding(documentId: string, words: string | undefined) {
  const query = $api.useInfiniteQuery(
    "get",
    "/api/v1/documents/{document_id}/find",
    { params: { path: { document_id: documentId }, query: { q: words ?? " ", limit: PAGE } } },
    {
      ...CURSOR_LIST,
      enabled: words !== undefined,
      placeholderData: keepPreviousData,
    },
  );
  const isAsked = words !== undefined;
  return {
    places: isAsked ? (query.data?.pages.flatMap((page) => page.items) ?? []) : [],
    total: isAsked ? query.data?.pages[0]?.total : undefined,
    /** Whether these are the places of the words, and not still those of the words before. */
    isSettled: isAsked && !query.isPlaceholderData && query.data !== undefined,
    error: query.error,
    refetch: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    fetchMore: () => void query.fetchNextPage(),
  };
}

export type Finding = ReturnType<typeof useFinding>;
