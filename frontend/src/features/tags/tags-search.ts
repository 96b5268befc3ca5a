import { compact, oneOf, text } from "@/lib/search-params";

export const TAG_SORTS = ["name", "-document_count", "-created_at"] as const;
export type TagSort = (typeof TAG_SORTS)[number];

/** What the address of the tags page says. */
export interface TagsSearch {
  q?: string;
  sort?: TagSort;
}

export function readTagsSearch(raw: Record<string, unknown>): TagsSearch {
  return compact({ q: text(raw, "q")?.slice(0, 100), sort: oneOf(raw, "sort", TAG_SORTS) }) as TagsSearch;
}
