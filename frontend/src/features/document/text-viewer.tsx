import { Group, Pagination, Paper, Stack, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ErrorState, LoadingPage } from "@/shared/states";
import { usePageText } from "./use-document";

interface TextViewerProps {
  documentId: string;
  pageNumber: number;
  pageCount: number;
  range: { start: number | undefined; end: number | undefined };
  onPageChange: (pageNumber: number) => void;
}

/** A document without a picture of its pages: its text, with the passage marked. */
export function TextViewer({ documentId, pageNumber, pageCount, range, onPageChange }: TextViewerProps) {
  const { t } = useTranslation();
  const mark = useRef<HTMLElement>(null);
  const { data, error, refetch } = usePageText(documentId, pageNumber, { isEnabled: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll when another passage or page is shown
  useEffect(() => mark.current?.scrollIntoView({ block: "center" }), [data, range.start]);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingPage />;
  const characters = Array.from(data.text);
  const clamp = (offset: number | undefined) =>
    Math.min(Math.max((offset ?? 0) - data.char_start, 0), characters.length);
  const [start, end] = [clamp(range.start), clamp(range.end)];
  return (
    <Stack h="100%" gap="xs">
      <Paper withBorder p="xl" flex={1} style={{ overflow: "auto" }} radius="md">
        <Text
          component="div"
          maw="72ch"
          mx="auto"
          lh={1.7}
          style={{ whiteSpace: "pre-wrap" }}
          lang={data.language ?? ""}
        >
          {characters.slice(0, start).join("")}
          {end > start ? <mark ref={mark}>{characters.slice(start, end).join("")}</mark> : null}
          {characters.slice(Math.max(end, start)).join("")}
        </Text>
      </Paper>
      {pageCount > 1 ? (
        <Group justify="center">
          <Pagination
            total={pageCount}
            value={pageNumber}
            onChange={onPageChange}
            aria-label={t("document.pages")}
          />
        </Group>
      ) : null}
    </Stack>
  );
}
