import { keepPreviousData } from "@tanstack/react-query";
import { $api } from "@/lib/api/client";
import type { TrashSearch } from "./trash-search";

export const TRASH_PAGE = 50;

/** A page of the trash, what was deleted last at the top. */
export function useTrash({ q, cursor }: TrashSearch) {
  const place = { ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) };
  const query = { is_deleted: true, sort: "-deleted_at", limit: TRASH_PAGE, ...place } as const;
  return $api.useQuery("get", "/api/v1/documents", { params: { query } }, { placeholderData: keepPreviousData });
}
