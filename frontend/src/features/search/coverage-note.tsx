import { Alert, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { SearchResponse } from "./use-search";

const LOW_CONFIDENCE = 0.3;

interface CoverageNoteProps {
  coverage: SearchResponse["metadata"]["coverage"];
  /** Of a search: says as well how far its passages can be trusted. */
  response?: SearchResponse;
}

/** What was not searched, and whether the passages can be trusted: said above the passages, never hidden. */
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
