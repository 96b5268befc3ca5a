import { compact, integer, oneOf, text } from "@/lib/search-params";

export const PANELS = ["chunks", "find", "outline", "pages", "details", "history", "versions", "copies"] as const;
export type Panel = (typeof PANELS)[number];

const MAX = Number.MAX_SAFE_INTEGER;

/** The document page's state: the page in sight, the passage that is highlighted, the panel beside it. */
export interface DocumentUrl {
  page?: number;
  start?: number;
  end?: number;
  panel?: Panel;
  /** Words that are looked for in the document. */
  find?: string;
}

export function readDocumentUrl(raw: Record<string, unknown>): DocumentUrl {
  return compact({
    page: integer(raw, "page", { min: 1, max: MAX }),
    start: integer(raw, "start", { min: 0, max: MAX }),
    end: integer(raw, "end", { min: 0, max: MAX }),
    panel: oneOf(raw, "panel", PANELS),
    find: text(raw, "find")?.slice(0, 200),
  });
}
