import { Button, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CodeText } from "@/shared/code-text";
import { errorText } from "@/shared/notify";
import { TextLink } from "@/shared/text-link";
import type { SearchResponse } from "./use-search";

const LOW_CONFIDENCE = 0.3;

interface CoverageNoteProps {
  coverage: SearchResponse["metadata"]["coverage"];
  /** A search response adds a note about its confidence. */
  response?: SearchResponse;
}

/** A warning about weak results, and below it one line about how they were searched. Stands above the results. */
export function CoverageNote({ coverage, response }: CoverageNoteProps) {
  const { t } = useTranslation();
  const { confidence = null, strategy, expansions = [] } = response?.metadata ?? {};
  const isWeak = Boolean(response?.data.length) && confidence !== null && confidence < LOW_CONFIDENCE;
  const notes = [
    coverage.documents_processing > 0 && t("search.stillIndexed", { count: coverage.documents_processing }),
    coverage.share_embedded < 1 && t("search.embedded", { percent: Math.floor(coverage.share_embedded * 100) }),
    strategy?.is_degraded && t("search.degraded"),
    ...expansions.map(({ term, synonyms }) => t("search.expanded", { term, synonyms: synonyms.join(", ") })),
  ].filter((note): note is string => typeof note === "string");
  return (
    <>
      {isWeak ? (
        <Text fz="lg" fw={500} mt="xs" role="status">
          {t("search.lowConfidence")}
        </Text>
      ) : null}
      {notes.length > 0 ? (
        <Text size="sm" c="dimmed" my={4} role="status">
          {notes.join(" ")}
        </Text>
      ) : null}
    </>
  );
}

/** What the library holds and no search can reach. It is short: each list of results has it. */
export function FailureCounts({ coverage }: Pick<CoverageNoteProps, "coverage">) {
  const { t } = useTranslation();
  const { documents_failed: failed, pages_unreadable: unreadable } = coverage;
  return (
    <>
      {failed > 0 ? (
        <TextLink to="/documents" search={{ status: ["failed"] }} size="sm" c="dimmed" underline="always">
          {t("search.failed", { count: failed })}
        </TextLink>
      ) : null}
      {unreadable > 0 ? (
        <Text size="sm" c="dimmed">
          {t("documents.status.unreadable", { count: unreadable })}
        </Text>
      ) : null}
    </>
  );
}

interface NearestNoteProps {
  error: unknown;
  isFetching: boolean;
  onRetry: () => void;
}

/** Says in passing that snippets could not be cut around their nearest sentences; the passages are there all the same. */
export function NearestNote({ error, isFetching, onRetry }: NearestNoteProps) {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed" role="status" mt={4}>
      <CodeText text={t("search.nearestLost", { reason: errorText(error) })} />{" "}
      <Button size="compact-xs" variant="default" loading={isFetching} onClick={onRetry}>
        {t("actions.retry")}
      </Button>
    </Text>
  );
}
