import type { DocumentsSearch } from "@/features/documents/documents-search";
import type { SearchChange } from "./filters-bar";
import { tagState, withTagState } from "./tag-states";

/** What a click in a row filters by. */
export type ClickFilter = "tag" | "collection" | "type";

/** Return the change that narrows the list to a clicked value. Excluding applies to tags, which a document has many of. */
export function narrowed(search: DocumentsSearch, by: ClickFilter, value: string, isExcluded = false): SearchChange {
  if (by === "collection") return { collections: [value] };
  if (by === "type") return { types: [value] };
  const state = isExcluded ? "none" : "all";
  const known = tagState(search, value);
  const isDone = known === state || (known === "any" && !isExcluded && search.tags?.length === 1);
  return isDone ? {} : withTagState(search, value, state);
}

const PARAMETER = { tag: "allTags", collection: "collections", type: "types" } as const;

/** Return the address of the list with this filter alone, for a new tab. */
export const filterHref = (by: ClickFilter, value: string): string =>
  `/documents?${PARAMETER[by]}=${encodeURIComponent(JSON.stringify([value]))}`;
