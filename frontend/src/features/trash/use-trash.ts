import { keepPreviousData } from "@tanstack/react-query";
import { $api } from "@/lib/api/client";
import type { TrashSearch } from "./trash-search";

export const TRASH_PAGE = 50;

/** A page of the trash. */
export function useTrash({ q, cursor }: TrashSearch) {
  const query = { is_deleted: true, limit: TRASH_PAGE, ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) };
  return $api.useQuery(
    "get",
    "/api/v1/documents",
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
}
