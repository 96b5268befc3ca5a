import { readSearchUrl, type SearchUrl } from "@/features/search/search-url";
import { compact, flag, text } from "@/lib/search-params";

/** Read the state of the page "Ask" from the address: the question that is asked now, its filters and its thread. */
export function readAskUrl(raw: Record<string, unknown>) {
  return { ...readSearchUrl(raw), ...compact({ thread: text(raw, "thread"), asItIs: flag(raw, "asItIs") }) };
}

export type AskUrl = SearchUrl & {
  /** The thread that the question continues. */
  thread?: string;
  /** The question is asked in these words, and not rewritten. */
  asItIs?: boolean;
};
