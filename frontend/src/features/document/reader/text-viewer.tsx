import { Box, Group, Pagination, Paper, Stack } from "@mantine/core";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { usePageText } from "@/features/document/use-document";
import type { FoundPlace } from "@/features/document/use-finding";
import { ErrorState, LoadingPage } from "@/shared/states";
import { type MarkedRange, TextPage } from "./text-page";

interface TextViewerProps {
  documentId: string;
  pageNumber: number;
  pageCount: number;
  range: { start: number | undefined; end: number | undefined };
  /** Other places to mark, more faintly. */
  places: FoundPlace[];
  isMarkdown: boolean;
  onPageChange: (pageNumber: number) => void;
}

/** A document without a picture of its pages: its text, with the passage marked. */
export function TextViewer(props: TextViewerProps) {
  const { documentId, pageNumber, pageCount, range, places, isMarkdown, onPageChange } = props;
  const { t } = useTranslation();
  const page = useRef<HTMLDivElement>(null);
  const { data, error, refetch } = usePageText(documentId, pageNumber, { isEnabled: true });
  const offset = data?.char_start ?? 0;
  const ranges = useMemo(() => toRanges(range, places, offset), [range, places, offset]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll when another passage or page is shown
  useEffect(() => {
    page.current?.querySelector("mark[data-current]")?.scrollIntoView({ block: "center" });
  }, [data, range.start]);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingPage />;
  return (
    <Stack h="100%" gap="xs">
      <Paper
        component="section"
        aria-label={t("search.page", { page: pageNumber })}
        withBorder
        p={{ base: "md", sm: "xl" }}
        flex={1}
        style={{ overflow: "auto" }}
        tabIndex={0}
      >
        <Box ref={page} maw="72ch" mx="auto" lh={1.7} lang={data.language ?? ""}>
          <TextPage text={data.text} isMarkdown={isMarkdown} ranges={ranges} />
        </Box>
      </Paper>
      {pageCount > 1 ? (
        <Group justify="center">
          <Pagination total={pageCount} value={pageNumber} onChange={onPageChange} aria-label={t("document.pages")} />
        </Group>
      ) : null}
    </Stack>
  );
}

function toRanges(range: TextViewerProps["range"], places: FoundPlace[], offset: number): MarkedRange[] {
  const { start, end } = range;
  const hasCurrent = start !== undefined && end !== undefined && end > start;
  const others = places
    .filter((place) => !hasCurrent || place.char_end <= start || place.char_start >= end)
    .map((place) => ({ start: place.char_start, end: place.char_end, isCurrent: false }));
  return [...others, ...(hasCurrent ? [{ start, end, isCurrent: true }] : [])]
    .map((one) => ({ ...one, start: one.start - offset, end: one.end - offset }))
    .sort((a, b) => a.start - b.start);
}
