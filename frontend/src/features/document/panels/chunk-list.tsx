import { Badge, Group, Paper, Text, UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type ChunkRecord, useChunks } from "@/features/document/use-document";
import { readableText } from "@/lib/readable-text";
import { EmptyState, ErrorState, LoadingState, PlainList } from "@/shared/states";

interface ChunkListProps {
  documentId: string;
  pageNumber: number;
  /** Why the document could not be processed, which the page explains above. */
  failure: string | null;
  selectedStart: number | undefined;
  onSelect: (chunk: ChunkRecord) => void;
}

/** The chunks of the page in sight; choosing one highlights it on the page. */
export function ChunkList({ documentId, pageNumber, failure, selectedStart, onSelect }: ChunkListProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useChunks(documentId, pageNumber);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState rows={3} />;
  if (data.items.length === 0) {
    return failure ? (
      <EmptyState title={failure} />
    ) : (
      <EmptyState title={t("document.noChunks")}>{t("document.noChunksText")}</EmptyState>
    );
  }
  return (
    <PlainList gap="xs">
      {data.items.map((chunk) => {
        const isSelected =
          selectedStart !== undefined && selectedStart >= chunk.char_start && selectedStart < chunk.char_end;
        return (
          <li key={chunk.id}>
            <UnstyledButton w="100%" onClick={() => onSelect(chunk)} aria-pressed={isSelected}>
              <Paper
                withBorder
                p="sm"
                style={isSelected ? { borderColor: "var(--mantine-primary-color-filled)" } : undefined}
              >
                <Group gap={6} mb={4}>
                  <Text size="xs" fw={600}>
                    {t("document.chunk", { index: chunk.chunk_index + 1 })}
                  </Text>
                  {chunk.content_type !== "text" ? (
                    <Badge variant="default">{t(`search.contentType.${chunk.content_type}`)}</Badge>
                  ) : null}
                </Group>
                {chunk.section_path.length > 0 ? (
                  <Text size="xs" c="dimmed" truncate>
                    {chunk.section_path.join(" › ")}
                  </Text>
                ) : null}
                <Text
                  size="sm"
                  lineClamp={isSelected ? 20 : 4}
                  style={{ whiteSpace: "pre-line" }}
                  lang={chunk.language}
                >
                  {/* few lines are shown: an empty one says nothing */}
                  {readableText(chunk.text).replace(/\n{2,}/g, isSelected ? "$&" : "\n")}
                </Text>
              </Paper>
            </UnstyledButton>
          </li>
        );
      })}
    </PlainList>
  );
}
