import { Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { type SearchUrl, toRequest } from "./search-url";
import { type Hit, searchQuery } from "./use-search";

interface FoundCountProps {
  hits: readonly Pick<Hit, "keyword_rank">[];
  isHybrid: boolean;
}

/** Say how many passages there are, and if none of them has a word of the query. */
export function FoundCount(props: FoundCountProps) {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed">
      {countText(t, props)}
    </Text>
  );
}

function countText(t: TFunction, { hits, isHybrid }: FoundCountProps): string | null {
  if (hits.length === 0) return null;
  const isByMeaning = isHybrid && hits.every(({ keyword_rank }) => keyword_rank === null);
  return t(isByMeaning ? "search.foundByMeaning" : "search.foundCount", { count: hits.length });
}

/** Announce the number of passages. It is on the page before its text: screen readers announce changes only. */
export function FoundAnnouncement({ url }: { url: SearchUrl }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...searchQuery(url), enabled: Boolean(url.q) });
  const isHybrid = toRequest(url, url.q ?? "").hybrid;
  return (
    <VisuallyHidden role="status">
      {data ? (countText(t, { hits: data.data, isHybrid }) ?? t("search.emptyTitle")) : null}
    </VisuallyHidden>
  );
}
