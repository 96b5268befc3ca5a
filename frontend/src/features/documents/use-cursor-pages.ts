import { useRouterState } from "@tanstack/react-router";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Cursors of the pages before this one, the first page's being "". */
    cursors?: string[];
  }
}

export interface Place {
  cursor?: string;
  page?: number;
}

/**
 * Going forth and back in a list that only knows its next page. The way back lies in the history entry, so it survives
 * a reload; who comes by a link has none and goes back to the first page.
 */
export function useCursorPages(place: Place, go: (place: Place, state: { cursors: string[] }) => void) {
  const cursors = useRouterState({ select: (state) => state.location.state.cursors }) ?? [];
  const page = place.page ?? (place.cursor ? cursors.length + 1 : 1);

  function goTo(cursor: string, target: number, before: string[]) {
    go(cursor ? { cursor, page: target } : {}, { cursors: before });
  }

  return {
    page,
    next: (nextCursor: string) => goTo(nextCursor, page + 1, [...cursors, place.cursor ?? ""]),
    previous: () => goTo(cursors.at(-1) ?? "", page - 1, cursors.slice(0, -1)),
    first: () => goTo("", 1, []),
  };
}
