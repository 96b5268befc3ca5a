import { Alert, Anchor, Box, Button, Group, Text, Title } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useCanWrite } from "@/features/collections/use-collections";
import { originalUrl } from "@/features/document/panels/document-details";
import { RowMenu } from "@/features/documents/row/row-menu";
import { TagsCell } from "@/features/documents/row/tags-cell";
import { StatusCell } from "@/features/documents/status/status-cell";
import { useTagColor } from "@/features/tags/use-tags";
import type { DocumentRecord } from "./use-document";

/** Title, status and actions of a document. */
export function DocumentHeader({ document }: { document: DocumentRecord }) {
  const { t } = useTranslation();
  const colorOf = useTagColor();
  const canWrite = useCanWrite()(document.collection.id) && document.deleted_at === null;
  return (
    <>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box miw={0} style={{ flex: "1 1 20rem" }}>
          <Anchor component={Link} to="/documents" size="sm">
            {t("nav.documents")}
          </Anchor>
          <Title order={1} size="h3" style={{ overflowWrap: "anywhere" }}>
            {document.title ?? document.filename}
          </Title>
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {document.filename} · {document.collection.name}
          </Text>
        </Box>
        <Group gap="xs" wrap="nowrap">
          <Button
            component="a"
            href={originalUrl(document.id, { isInline: false })}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t("actions.download")}
          </Button>
          <RowMenu document={document} canWrite={canWrite} t={t} />
        </Group>
      </Group>
      <Group gap="md" align="flex-start">
        {document.status === "ready" && document.unreadable_page_count === 0 ? null : (
          <Box maw="60ch">
            <StatusCell document={document} canWrite={canWrite} t={t} />
          </Box>
        )}
        <TagsCell document={document} colorOf={colorOf} canWrite={canWrite} t={t} />
      </Group>
      {document.deleted_at ? (
        <Alert color="yellow" variant="outline">
          {t("document.trashed")}
        </Alert>
      ) : null}
    </>
  );
}
