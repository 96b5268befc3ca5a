import type { SearchUrl } from "@/features/search/search-url";
import type { Hit } from "@/features/search/use-search";

/** Return the address of a hit in its document. It remembers the search and the rank of the hit. */
export function hitLink(hit: Hit, rank: number, results: SearchUrl) {
  return {
    to: "/documents/$documentId",
    params: { documentId: hit.document_id },
    search: {
      page: hit.highlights[0]?.page ?? hit.page_number,
      start: hit.snippet.char_start,
      end: hit.snippet.char_end,
      hit: rank,
      results,
    },
  } as const;
}
