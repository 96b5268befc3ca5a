import { ActionIcon, Group, Text } from "@mantine/core";
import { IconArrowLeft, IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { hitLink } from "@/features/search/hit/hit-link";
import type { SearchUrl } from "@/features/search/search-url";
import { useSearch } from "@/features/search/use-search";
import { usePageKeys } from "@/features/shortcuts/page-keys";
import { TextLink } from "@/shared/text-link";

interface ResultStepsProps {
  /** The search that led here. */
  results: SearchUrl;
  /** The rank of the hit that is open. */
  rank: number;
}

/** The way back to the results of a search, and to the hits before and after this one. */
export function ResultSteps({ results, rank }: ResultStepsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const hits = useSearch(results).data?.data ?? [];
  const open = (target: number) => {
    const hit = hits[target - 1];
    if (hit) void navigate({ ...hitLink(hit, target, results), replace: true });
  };
  usePageKeys({ n: () => open(rank + 1), p: () => open(rank - 1) });
  return (
    <Group gap="xs" wrap="nowrap">
      <TextLink to="/search" search={results} hash={`hit-${rank}`} size="sm" truncate miw={0}>
        <IconArrowLeft size={14} aria-hidden style={{ verticalAlign: "-2px" }} />{" "}
        {t("reader.results", { query: results.q })}
      </TextLink>
      {hits.length > 0 ? (
        <Group gap={2} wrap="nowrap" style={{ flex: "none" }}>
          <ActionIcon
            color="gray"
            size="sm"
            aria-label={t("reader.previousResult")}
            title={t("reader.previousResult")}
            disabled={rank <= 1}
            onClick={() => open(rank - 1)}
          >
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <Text size="sm" component="output">
            {t("find.place", { at: rank, total: hits.length })}
          </Text>
          <ActionIcon
            color="gray"
            size="sm"
            aria-label={t("reader.nextResult")}
            title={t("reader.nextResult")}
            disabled={rank >= hits.length}
            onClick={() => open(rank + 1)}
          >
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ) : null}
    </Group>
  );
}
