import { readSearchUrl, type SearchUrl } from "@/features/search/search-url";
import { compact, flag, text } from "@/lib/search-params";

const THREAD_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** An id that no thread has. The API answers it like that of a deleted thread. */
const MISSING_THREAD = "00000000-0000-0000-0000-000000000000";

/** Read the state of the page "Ask" from the address: the question that is asked now, its filters and its thread. */
export function readAskUrl(raw: Record<string, unknown>) {
  const written = text(raw, "thread");
  const thread = written && (THREAD_ID.test(written) ? written : MISSING_THREAD);
  return { ...readSearchUrl(raw), ...compact({ thread, asItIs: flag(raw, "asItIs") }) };
}

export type AskUrl = SearchUrl & {
  /** The thread that the question continues. */
  thread?: string;
  /** The question is asked in these words, and not rewritten. */
  asItIs?: boolean;
};
