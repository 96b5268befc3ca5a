import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Hit } from "./use-search";

interface FoundCountProps {
  hits: readonly Pick<Hit, "keyword_rank">[];
  isHybrid: boolean;
}

/** Say how many passages there are, and if none of them has a word of the query. */
export function FoundCount({ hits, isHybrid }: FoundCountProps) {
  const { t } = useTranslation();
  const isByMeaning = isHybrid && hits.every(({ keyword_rank }) => keyword_rank === null);
  return (
    <Text size="sm" c="dimmed" role="status">
      {hits.length > 0 ? t(isByMeaning ? "search.foundByMeaning" : "search.foundCount", { count: hits.length }) : null}
    </Text>
  );
}
