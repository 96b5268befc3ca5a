import { compact, flag, integer, list, text } from "@/lib/search-params";

/** The search page's state: all of it lives in the address. */
export interface SearchUrl {
  q?: string;
  tags?: string[];
  all?: string[];
  not?: string[];
  documents?: string[];
  collections?: string[];
  language?: string;
  /** Days, as 2026-11-22. */
  from?: string;
  to?: string;
  k?: number;
  semanticOnly?: boolean;
}

export const DEFAULT_TOP_K = 10;

export function readSearchUrl(raw: Record<string, unknown>): SearchUrl {
  return compact({
    q: text(raw, "q"),
    tags: list(raw, "tags"),
    all: list(raw, "all"),
    not: list(raw, "not"),
    documents: list(raw, "documents"),
    collections: list(raw, "collections"),
    language: text(raw, "language"),
    from: day(raw, "from"),
    to: day(raw, "to"),
    k: integer(raw, "k", { min: 1, max: 20 }),
    semanticOnly: flag(raw, "semanticOnly"),
  });
}

function day(raw: Record<string, unknown>, name: string): string | undefined {
  const value = text(raw, name);
  return value && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

/** When a day begins where the person is. */
function startOfDay(date: string, daysLater = 0): string {
  const [year = 0, month = 1, dayOfMonth = 1] = date.split("-").map(Number);
  return new Date(year, month - 1, dayOfMonth + daysLater).toISOString();
}

/** How many filters narrow the search. */
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
