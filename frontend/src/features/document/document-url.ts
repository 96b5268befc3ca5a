import { readSearchUrl, type SearchUrl } from "@/features/search/search-url";
import { compact, flag, integer, oneOf, text } from "@/lib/search-params";

export const PANELS = ["ask", "contents", "info"] as const;
export type Panel = (typeof PANELS)[number];
/** The parts of the panel `info`, of which one is open. */
export const PARTS = ["details", "versions", "copies", "pages", "history"] as const;

const MAX = Number.MAX_SAFE_INTEGER;

/** Read the state of the document page from the address: page, passage, panel, words to find, question, and the search before. */
export function readDocumentUrl(raw: Record<string, unknown>) {
  return compact({
    page: integer(raw, "page", { min: 1, max: MAX }),
    start: integer(raw, "start", { min: 0, max: MAX }),
    end: integer(raw, "end", { min: 0, max: MAX }),
    panel: oneOf(raw, "panel", PANELS),
    part: oneOf(raw, "part", PARTS),
    find: text(raw, "find")?.slice(0, 200),
    ask: text(raw, "ask"),
    thread: text(raw, "thread"),
    asItIs: flag(raw, "asItIs"),
    results: readResults(raw.results),
    hit: integer(raw, "hit", { min: 1, max: MAX }),
  });
}

/** Read the search that led to the document. */
function readResults(raw: unknown): SearchUrl | undefined {
  if (typeof raw !== "object" || raw === null) return undefined;
  const results = readSearchUrl({ ...raw });
  return results.q ? results : undefined;
}

export type DocumentUrl = ReturnType<typeof readDocumentUrl>;

/** Return the address with its page among those that there are. A link may be to an older, longer version. */
export function withinPages(url: DocumentUrl, pageCount: number | null): DocumentUrl {
  return url.page && pageCount && url.page > pageCount ? { ...url, page: pageCount } : url;
}
