import type { SearchUrl } from "@/features/search/search-url";
import type { Hit } from "@/features/search/use-search";

/** Return the address of a hit's best sentence in its document. It remembers the search and the rank of the hit. */
export function hitLink(hit: Hit, rank: number, results: SearchUrl) {
  const { highlights } = hit.sentence ?? hit;
  const { char_start: start, char_end: end } = hit.sentence ?? hit.snippet;
  return {
    to: "/documents/$documentId",
    params: { documentId: hit.document_id },
    search: {
      page: (highlights[0] ?? hit.highlights[0])?.page_number ?? hit.page_number,
      start,
      end,
      hit: rank,
      results,
    },
  } as const;
}
