import { Alert, Box, Button, Group, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useCanWrite } from "@/features/collections/use-collections";
import { focusLater } from "@/features/documents/list/list-focus";
import { useBulk } from "@/features/documents/list/use-bulk";
import { RowMenu } from "@/features/documents/row/row-menu";
import { TagsCell } from "@/features/documents/row/tags-cell";
import { isLockedPdf } from "@/features/documents/status/document-status";
import { StatusCell } from "@/features/documents/status/status-cell";
import { useTagColor } from "@/features/tags/use-tags";
import { TextLink } from "@/shared/text-link";
import type { DocumentUrl } from "./document-url";
import { ResultSteps } from "./result-steps";
import type { DocumentRecord } from "./use-document";

/** Title, status and actions of a document. */
export function DocumentHeader({ document, url }: { document: DocumentRecord; url: DocumentUrl }) {
  const { t } = useTranslation();
  const colorOf = useTagColor();
  const mayWrite = useCanWrite()(document.collection.id);
  const canWrite = mayWrite && document.deleted_at === null;
  const bulk = useBulk();
  async function restore() {
    const moveFocus = focusLater([document.id]);
    if (await bulk.run({ ids: [document.id] }, { action: "restore" })) moveFocus();
  }
  return (
    <>
      <Group justify="space-between" align="flex-start" gap="sm" wrap="nowrap">
        <Box miw={0} flex={1}>
          {url.results && url.hit ? (
            <ResultSteps results={url.results} rank={url.hit} />
          ) : (
            <TextLink to="/documents" size="sm">
              {t("nav.documents")}
            </TextLink>
          )}
          <Title order={1} size="h3" style={{ overflowWrap: "anywhere" }}>
            {document.title ?? document.filename}
          </Title>
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {document.title ? `${document.filename} · ` : ""}
            {document.collection.name}
          </Text>
        </Box>
        <RowMenu document={document} canWrite={canWrite} t={t} />
      </Group>
      <Group gap="md" align="flex-start">
        {document.status === "ready" && document.unreadable_page_count === 0 ? null : (
          <Box maw="60ch">
            <StatusCell document={document} canWrite={canWrite && !isLockedPdf(document)} t={t} />
          </Box>
        )}
        <TagsCell document={document} colorOf={colorOf} canWrite={canWrite} t={t} />
      </Group>
      {document.deleted_at ? (
        <Alert color="yellow" variant="outline">
          <Group justify="space-between" gap="sm">
            {t("document.trashed")}
            {mayWrite ? (
              <Button size="xs" variant="default" loading={bulk.isPending} onClick={() => void restore()}>
                {t("trash:restore")}
              </Button>
            ) : null}
          </Group>
        </Alert>
      ) : null}
    </>
  );
}
