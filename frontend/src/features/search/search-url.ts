import { compact, days, flag, integer, list, startOfDay, text } from "@/lib/search-params";

export const DEFAULT_TOP_K = 10;

/** Read the state of the search page from the address. */
export function readSearchUrl(raw: Record<string, unknown>) {
  return compact({
    q: text(raw, "q"),
    tags: list(raw, "tags"),
    all: list(raw, "all"),
    not: list(raw, "not"),
    documents: list(raw, "documents"),
    collections: list(raw, "collections"),
    language: text(raw, "language"),
    ...days(raw),
    k: integer(raw, "k", { min: 1, max: 20 }),
    semanticOnly: flag(raw, "semanticOnly"),
  });
}

export type SearchUrl = ReturnType<typeof readSearchUrl>;

/** Count the filters of the search. */
export function countFilters(url: SearchUrl): number {
  const lists = [url.tags, url.all, url.not, url.documents, url.collections].filter((items) => items?.length).length;
  return lists + [url.language, url.from, url.to].filter(Boolean).length;
}

/** The body of `POST /api/v1/search` for this address. */
export function toRequest(url: SearchUrl, query: string) {
  return {
    query,
    top_k: url.k ?? DEFAULT_TOP_K,
    hybrid: !url.semanticOnly,
    explain: true,
    rectangles: true,
    context: 0,
    nearest_sentence: false,
    fold: false,
    tags: { any: url.tags ?? [], all: url.all ?? [], none: url.not ?? [] },
    documents: url.documents ?? [],
    collections: url.collections ?? [],
    ...(url.language ? { language: url.language } : {}),
    ...(url.from ? { created_after: startOfDay(url.from) } : {}),
    ...(url.to ? { created_before: startOfDay(url.to, 1) } : {}),
  };
}
