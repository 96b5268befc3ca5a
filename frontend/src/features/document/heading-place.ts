import type { QueryClient } from "@tanstack/react-query";
import { $api } from "@/lib/api/client";
import type { components } from "@/lib/api/schema";

export type Heading = components["schemas"]["OutlineHeading"];
type PageText = Pick<components["schemas"]["PageResponse"], "text" | "char_start">;

const quoted = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
const codePoints = (text: string) => Array.from(text).length;

/** Return the characters of a heading in a document, or null if its page does not have it word for word. */
export function placeOfHeading(title: string, { text, char_start }: PageText): { start: number; end: number } | null {
  const words = title.split(/\s+/).filter(Boolean).map(quoted).join("\\s+");
  if (words === "") return null;
  const found = new RegExp(`(?<=^[\\s#]*)${words}(?=\\s*$)`, "imu").exec(text) ?? new RegExp(words, "iu").exec(text);
  if (!found) return null;
  const start = char_start + codePoints(text.slice(0, found.index));
  return { start, end: start + codePoints(found[0]) };
}

/** Return the index of the first heading of a page, or of the last one before it. */
export function headingOfPage(headings: readonly Heading[], pageNumber: number): number {
  const first = headings.findIndex(({ page_number }) => page_number === pageNumber);
  return first >= 0 ? first : headings.findLastIndex(({ page_number }) => isBefore(page_number, pageNumber));
}

/** Return the index of the heading above a passage that begins on a page. */
export function headingOfPassage(
  headings: readonly Heading[],
  page: PageText & { page_number: number },
  start: number,
) {
  return headings.findLastIndex(({ title, page_number }) => {
    if (page_number !== page.page_number) return isBefore(page_number, page.page_number);
    const place = placeOfHeading(title, page);
    return place !== null && place.start <= start;
  });
}

const isBefore = (page: number | null | undefined, other: number) => Boolean(page && page < other);

/** Find a heading on its page. */
export async function findHeading(client: QueryClient, documentId: string, { title, page_number }: Heading) {
  if (!page_number) return null;
  const query = $api.queryOptions("get", "/api/v1/documents/{document_id}/pages/{page_number}", {
    params: { path: { document_id: documentId, page_number } },
  });
  const page = await client.fetchQuery({ ...query, staleTime: Number.POSITIVE_INFINITY });
  return placeOfHeading(title, page);
}
