import { keepPreviousData } from "@tanstack/react-query";
import { $api } from "@/lib/api/client";
import { compact, integer, text } from "@/lib/search-params";

/** Read the state of the trash page from the address. */
export function readTrashSearch(raw: Record<string, unknown>) {
  const cursor = text(raw, "cursor");
  return compact({
    q: text(raw, "q")?.slice(0, 200),
    cursor,
    page: cursor ? integer(raw, "page", { min: 2, max: 1_000_000 }) : undefined,
  });
}

export type TrashSearch = ReturnType<typeof readTrashSearch>;

export const TRASH_PAGE = 50;

/** A page of the trash, what was deleted last at the top. */
export function useTrash({ q, cursor }: TrashSearch) {
  const place = { ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) };
  const query = { is_deleted: true, sort: "-deleted_at", limit: TRASH_PAGE, ...place } as const;
  return $api.useQuery("get", "/api/v1/documents", { params: { query } }, { placeholderData: keepPreviousData });
}
