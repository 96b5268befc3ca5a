import type { Hit } from "@/features/search/use-search";

/** Return for each hit how many of its document follow from here. 0 for a hit that continues a group. */
export function groupSizes(hits: readonly Pick<Hit, "document_id">[]): number[] {
  const isContinued = (index: number) => index > 0 && hits[index]?.document_id === hits[index - 1]?.document_id;
  return hits.map((_, index) => {
    if (isContinued(index)) return 0;
    let end = index + 1;
    while (end < hits.length && isContinued(end)) end += 1;
    return end - index;
  });
}
