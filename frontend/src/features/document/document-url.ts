import { compact, integer, oneOf, text } from "@/lib/search-params";

export const PANELS = ["chunks", "find", "outline", "pages", "details", "history", "versions", "copies"] as const;
export type Panel = (typeof PANELS)[number];

const MAX = Number.MAX_SAFE_INTEGER;

/** Read the state of the document page from the address: page, highlighted passage, panel, words to find. */
export function readDocumentUrl(raw: Record<string, unknown>) {
  return compact({
    page: integer(raw, "page", { min: 1, max: MAX }),
    start: integer(raw, "start", { min: 0, max: MAX }),
    end: integer(raw, "end", { min: 0, max: MAX }),
    panel: oneOf(raw, "panel", PANELS),
    find: text(raw, "find")?.slice(0, 200),
  });
}

export type DocumentUrl = ReturnType<typeof readDocumentUrl>;
