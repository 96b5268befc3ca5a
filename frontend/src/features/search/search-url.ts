import { compact, flag, integer, list, text } from "@/lib/search-params";

/** The search page's state: all of it lives in the address. */
export interface SearchUrl {
  q?: string;
  tags?: string[];
  not?: string[];
  documents?: string[];
  collections?: string[];
  language?: string;
  k?: number;
  semanticOnly?: boolean;
}

export const DEFAULT_TOP_K = 10;

export function readSearchUrl(raw: Record<string, unknown>): SearchUrl {
  return compact({
    q: text(raw, "q"),
    tags: list(raw, "tags"),
    not: list(raw, "not"),
    documents: list(raw, "documents"),
    collections: list(raw, "collections"),
    language: text(raw, "language"),
    k: integer(raw, "k", { min: 1, max: 20 }),
    semanticOnly: flag(raw, "semanticOnly"),
  });
}

/** How many filters narrow the search. */
export function countFilters(url: SearchUrl): number {
  const lists = [url.tags, url.not, url.documents, url.collections].filter((items) => items?.length).length;
  return lists + (url.language ? 1 : 0);
}

/** The body of `POST /api/v1/search` for this address. */
export function toRequest(url: SearchUrl, query: string) {
  return {
    query,
    top_k: url.k ?? DEFAULT_TOP_K,
    hybrid: !url.semanticOnly,
    explain: true,
    rectangles: true,
    tags: { any: url.tags ?? [], all: [], none: url.not ?? [] },
    documents: url.documents ?? [],
    collections: url.collections ?? [],
    ...(url.language ? { language: url.language } : {}),
  };
}
