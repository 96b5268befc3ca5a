import { getRouteApi, useRouterState } from "@tanstack/react-router";
import type { DocumentsSearch } from "./documents-search";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Cursors of the pages before this one, the first page's being "". */
    cursors?: string[];
  }
}

const route = getRouteApi("/documents");

/**
 * Going forth and back in a list that only knows its next page. The way back lies in the history entry, so it survives
 * a reload; who comes by a link has none and goes back to the first page.
 */
export function useCursorPages(search: DocumentsSearch) {
  const navigate = route.useNavigate();
  const cursors = useRouterState({ select: (state) => state.location.state.cursors }) ?? [];
  const page = search.page ?? (search.cursor ? cursors.length + 1 : 1);

  function goTo(cursor: string, target: number, before: string[]) {
    const { cursor: _, page: __, ...rest } = search;
    const place = cursor ? { cursor, page: target } : {};
    void navigate({ search: { ...rest, ...place }, state: { cursors: before } });
  }

  return {
    page,
    next: (nextCursor: string) => goTo(nextCursor, page + 1, [...cursors, search.cursor ?? ""]),
    previous: () => goTo(cursors.at(-1) ?? "", page - 1, cursors.slice(0, -1)),
    first: () => goTo("", 1, []),
  };
}
