import { Badge, Group, Paper, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";
import { formatDate } from "@/lib/format";
import { EmptyState, ErrorState, LoadingState, PlainList } from "@/shared/states";
import { TextLink } from "@/shared/text-link";

/** Other documents that are the same file, or say mostly the same. */
export function CopiesList({ documentId }: { documentId: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = $api.useQuery("get", "/api/v1/documents/{document_id}/copies", {
    params: { path: { document_id: documentId } },
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState rows={3} />;
  if (data.items.length === 0) return <EmptyState title={t("copies.none")}>{t("copies.noneText")}</EmptyState>;
  return (
    <PlainList gap="xs">
      {data.items.map((copy) => (
        <Paper key={copy.id} component="li" withBorder p="sm" radius="md">
          <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
            <TextLink
              to="/documents/$documentId"
              params={{ documentId: copy.id }}
              fw={600}
              miw={0}
              style={{ overflowWrap: "anywhere" }}
            >
              {copy.title ?? copy.filename}
            </TextLink>
            <Badge variant={copy.is_exact ? "filled" : "default"} style={{ flex: "none" }}>
              {t(copy.is_exact ? "copies.exact" : "copies.near")}
            </Badge>
          </Group>
          <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {[copy.filename, copy.collection.name, formatDate(copy.created_at)].join(" · ")}
          </Text>
          {copy.chunk_count > 0 ? (
            <Text size="sm">{t("copies.shared", { count: copy.chunk_count, shared: copy.shared_chunk_count })}</Text>
          ) : null}
        </Paper>
      ))}
    </PlainList>
  );
}
