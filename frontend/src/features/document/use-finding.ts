import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { $api } from "@/lib/api/client";
import { CURSOR_LIST } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";

export type FoundPlace = components["schemas"]["TextMatch"];

const PAGE = 100;
/** The API counts no further. */
export const MOST_PLACES = 10_000;

/** Positions of the words in a document, in reading order. On printed pages if wanted, which only Office files have. */
export function useFinding(documentId: string, words: string | undefined, { isPrinted = false } = {}) {
  const found = { q: words ?? " ", limit: PAGE, ...(isPrinted ? { is_printed: true } : {}) };
  const query = $api.useInfiniteQuery(
    "get",
    "/api/v1/documents/{document_id}/find",
    { params: { path: { document_id: documentId }, query: found } },
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
    /** True if the places belong to the current words, not to the words before. */
    isSettled: isAsked && !query.isPlaceholderData && query.data !== undefined,
    error: query.error,
    refetch: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    fetchMore: () => void query.fetchNextPage(),
  };
}

export type Finding = ReturnType<typeof useFinding>;

/** The first `count` positions of the words on printed pages. */
export function usePrintedPlaces(documentId: string, words: string | undefined, count: number): FoundPlace[] {
  const { places, isSettled, hasMore, isFetchingMore, fetchMore } = useFinding(documentId, words, { isPrinted: true });
  const isShort = isSettled && places.length < count && hasMore && !isFetchingMore;
  const fetchRest = useEffectEvent(fetchMore);
  useEffect(() => {
    if (isShort) fetchRest();
  }, [isShort]);
  return places;
}

export const FIND_FIELD_ID = "find-in-document";

/**
 * Ctrl-F (Cmd-F) finds in the document: pdf.js keeps only a few pages drawn, so the browser's own search would miss the
 * others. Pressed again in our field it is the browser's, as ever.
 */
export function useFindKey(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isFind = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === "f";
      const isInField = window.document.activeElement?.id === FIND_FIELD_ID;
      if (!isFind || isInField || window.document.querySelector("[aria-modal='true']")) return;
      event.preventDefault();
      const field = window.document.getElementById(FIND_FIELD_ID);
      if (field instanceof HTMLInputElement) field.select();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
