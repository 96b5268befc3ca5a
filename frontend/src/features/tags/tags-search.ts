import { compact, oneOf, text } from "@/lib/search-params";
import type { Tag } from "./use-tags";

export const TAG_SORTS = ["name", "-document_count", "-created_at"] as const;
export type TagSort = (typeof TAG_SORTS)[number];

/** Read the state of the tags page from the address. */
export function readTagsSearch(raw: Record<string, unknown>) {
  return compact({ q: text(raw, "q")?.slice(0, 100), sort: oneOf(raw, "sort", TAG_SORTS) });
}

const COMPARE: Record<TagSort, (a: Tag, b: Tag) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  "-document_count": (a, b) => b.document_count - a.document_count || a.name.localeCompare(b.name),
  "-created_at": (a, b) => b.created_at.localeCompare(a.created_at),
};

/** Return the tags whose name or description contains the text, sorted. */
export function orderTags(tags: Iterable<Tag>, { q = "", sort = "name" }: { q?: string; sort?: TagSort }): Tag[] {
  const wanted = q.trim().toLowerCase();
  return [...tags]
    .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted))
    .sort(COMPARE[sort]);
}
