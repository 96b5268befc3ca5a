import { Button, Checkbox, Group, Paper, Stack, Text } from "@mantine/core";
import { IconArrowBackUp, IconTrashX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useCanWrite } from "@/features/collections/use-collections";
import { TitleCell } from "@/features/documents/row/title-cell";
import type { Document } from "@/features/documents/status/document-status";
import { formatBytes, formatDateTime } from "@/lib/format";
import { PlainList } from "@/shared/states";

interface TrashListProps {
  documents: Document[];
  selected: ReadonlySet<string>;
  onToggle: (documentId: string) => void;
  onRestore: (documentId: string) => void;
  onPurge: (documentId: string) => void;
}

/** Documents in the trash. They can be restored or deleted for good. */
export function TrashList({ documents, selected, onToggle, onRestore, onPurge }: TrashListProps) {
  const canWrite = useCanWrite();
  return (
    <PlainList gap="xs">
      {documents.map((document) => (
        <TrashRow
          key={document.id}
          document={document}
          canWrite={canWrite(document.collection.id)}
          isSelected={selected.has(document.id)}
          onToggle={() => onToggle(document.id)}
          onRestore={() => onRestore(document.id)}
          onPurge={() => onPurge(document.id)}
        />
      ))}
    </PlainList>
  );
}

interface TrashRowProps {
  document: Document;
  canWrite: boolean;
  isSelected: boolean;
  onToggle: () => void;
  onRestore: () => void;
  onPurge: () => void;
}

function TrashRow({ document, canWrite, isSelected, onToggle, onRestore, onPurge }: TrashRowProps) {
  const { t } = useTranslation();
  const title = document.title ?? document.filename;
  return (
    <Paper component="li" data-document={document.id} withBorder p="sm" radius="md">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        {canWrite ? (
          <Checkbox mt={2} checked={isSelected} onChange={onToggle} aria-label={t("documents.select", { title })} />
        ) : null}
        <Group flex={1} miw={0} gap="sm" justify="space-between">
          <Stack gap={2} flex="1 1 240px" miw={0}>
            <TitleCell document={document} />
            <Text size="xs" c="dimmed">
              {[
                document.collection.name,
                formatBytes(document.size_bytes),
                document.deleted_at ? t("trash:deletedAt", { moment: formatDateTime(document.deleted_at) }) : null,
              ]
                .filter(Boolean)
                .join(" · ")}
            </Text>
          </Stack>
          {canWrite ? (
            <Group gap={6}>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconArrowBackUp size={15} aria-hidden />}
                aria-label={t("trash:restoreOne", { title })}
                onClick={onRestore}
              >
                {t("trash:restore")}
              </Button>
              <Button
                size="xs"
                variant="default"
                c="var(--mantine-color-error)"
                leftSection={<IconTrashX size={15} aria-hidden />}
                aria-label={t("trash:purgeOne", { title })}
                onClick={onPurge}
              >
                {t("trash:purge")}
              </Button>
            </Group>
          ) : null}
        </Group>
      </Group>
    </Paper>
  );
}
