import { compact, integer, text } from "@/lib/search-params";

/** What the address of the trash says. */
export interface TrashSearch {
  q?: string;
  cursor?: string;
  page?: number;
}

export function readTrashSearch(raw: Record<string, unknown>): TrashSearch {
  const cursor = text(raw, "cursor");
  return compact({
    q: text(raw, "q")?.slice(0, 200),
    cursor,
    page: cursor ? integer(raw, "page", { min: 2, max: 1_000_000 }) : undefined,
  }) as TrashSearch;
}
