import { Alert, Button, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { errorText } from "@/shared/notify";
import type { SearchResponse } from "./use-search";

const LOW_CONFIDENCE = 0.3;

interface CoverageNoteProps {
  coverage: SearchResponse["metadata"]["coverage"];
  /** A search response adds a note about its confidence. */
  response?: SearchResponse;
}

/** Documents that were not searched, and the confidence of the results. Stands above the results. */
export function CoverageNote({ coverage, response }: CoverageNoteProps) {
  const { t } = useTranslation();
  const { confidence = null, strategy, expansions = [] } = response?.metadata ?? {};
  const notes = [
    coverage.documents_processing > 0 && t("search.stillIndexed", { count: coverage.documents_processing }),
    coverage.documents_failed > 0 && t("search.failed", { count: coverage.documents_failed }),
    coverage.pages_unreadable > 0 && t("search.unreadable", { count: coverage.pages_unreadable }),
    coverage.share_embedded < 1 && t("search.embedded", { percent: Math.floor(coverage.share_embedded * 100) }),
    strategy?.is_degraded && t("search.degraded"),
    response &&
      response.data.length > 0 &&
      confidence !== null &&
      confidence < LOW_CONFIDENCE &&
      t("search.lowConfidence"),
    ...expansions.map(({ term, synonyms }) => t("search.expanded", { term, synonyms: synonyms.join(", ") })),
  ].filter((note): note is string => typeof note === "string");
  if (notes.length === 0) return null;
  return (
    <Alert
      icon={<IconInfoCircle aria-hidden />}
      color="petrol"
      variant="outline"
      title={t("search.coverageTitle")}
      my="sm"
    >
      {notes.map((note) => (
        <Text size="sm" key={note}>
          {note}
        </Text>
      ))}
    </Alert>
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
      {t("search.nearestLost", { reason: errorText(error) })}{" "}
      <Button size="compact-xs" variant="default" loading={isFetching} onClick={onRetry}>
        {t("actions.retry")}
      </Button>
    </Text>
  );
}
