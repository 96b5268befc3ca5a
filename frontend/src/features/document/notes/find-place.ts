import type { QueryClient } from "@tanstack/react-query";
import { $api } from "@/lib/api/client";
import { placeOfQuote } from "./quote-place";

/** Words that are selected on a page. */
export interface SelectedWords {
  quote: string;
  page: number;
  /** What stands before them on the page. */
  before: string;
  /** The share of the pages before this one, if pages are as they are printed. */
  printedShare: number | undefined;
}

export interface TextPlace {
  page: number;
  start: number;
  end: number;
}

const MOST_CHARACTERS = 1_000_000;
/** Not as many as a piece of the page ledger, whose answers are cached in another shape. */
const MOST_PAGES = 150;

/** Return where selected words are in the text. Printed pages have other numbers than the text: all of it is looked at. */
export async function findPlace(
  client: QueryClient,
  documentId: string,
  { quote, page, before, printedShare }: SelectedWords,
): Promise<TextPlace | null> {
  const path = { document_id: documentId };
  const options = { staleTime: Number.POSITIVE_INFINITY };
  if (printedShare === undefined) {
    const params = { path: { ...path, page_number: page } };
    const query = $api.queryOptions("get", "/api/v1/documents/{document_id}/pages/{page_number}", { params }, options);
    const place = placeOfQuote(quote, before, await client.fetchQuery(query));
    return place && { ...place, page };
  }
  const text = { path, query: { max_characters: MOST_CHARACTERS } };
  const pages = { path, query: { limit: MOST_PAGES } };
  const [content, ledger] = await Promise.all([
    client.fetchQuery($api.queryOptions("get", "/api/v1/documents/{document_id}/content", { params: text }, options)),
    client.fetchQuery($api.queryOptions("get", "/api/v1/documents/{document_id}/pages", { params: pages }, options)),
  ]);
  const place = placeOfQuote(quote, before, content, printedShare);
  const own = place && ledger.items.findLast(({ char_start }) => char_start <= place.start);
  const isBeyond = ledger.next_cursor && own === ledger.items.at(-1);
  return own && !isBeyond ? { ...place, page: own.page_number } : null;
}
