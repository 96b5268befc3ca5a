import { Checkbox, Group, Paper, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useTagColor } from "@/features/tags/use-tags";
import { formatBytes, formatDate } from "@/lib/format";
import type { Document } from "./document-status";
import { RowMenu } from "./row-menu";
import { StatusCell } from "./status-cell";
import { TagsCell } from "./tags-cell";
import { TitleCell } from "./title-cell";
import { useCanWrite } from "./use-can-write";
import type { Selection } from "./use-selection";

interface DocumentCardsProps {
  documents: Document[];
  selection: Selection;
}

/** The list where there is no room for columns. */
export function DocumentCards({ documents, selection }: DocumentCardsProps) {
  const colorOf = useTagColor();
  const canWrite = useCanWrite();
  const chosen = new Set(selection.documents.map((document) => document.id));

  function toggle(document: Document) {
    const base = selection.isAll ? documents : selection.documents;
    const isChosen = base.some((one) => one.id === document.id);
    selection.set(isChosen ? base.filter((one) => one.id !== document.id) : [...base, document]);
  }

  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
      {documents.map((document) => (
        <DocumentCard
          key={document.id}
          document={document}
          colorOf={colorOf}
          canWrite={canWrite(document.collection.id)}
          isSelected={selection.isAll || chosen.has(document.id)}
          onToggle={() => toggle(document)}
        />
      ))}
    </Stack>
  );
}

interface DocumentCardProps {
  document: Document;
  colorOf: (name: string) => string | undefined;
  canWrite: boolean;
  isSelected: boolean;
  onToggle: () => void;
}

function DocumentCard({ document, colorOf, canWrite, isSelected, onToggle }: DocumentCardProps) {
  const { t } = useTranslation();
  const facts = [
    document.collection.name,
    document.page_count === null ? null : t("documents.pagesCount", { count: document.page_count }),
    formatBytes(document.size_bytes),
    document.language?.toUpperCase(),
    formatDate(document.created_at),
  ];
  return (
    <Paper component="li" withBorder p="sm" radius="md">
      <Group wrap="nowrap" align="flex-start" gap="sm">
        {canWrite ? (
          <Checkbox
            mt={2}
            checked={isSelected}
            onChange={onToggle}
            aria-label={t("documents.select", { title: document.title ?? document.filename })}
          />
        ) : null}
        <Stack gap={6} flex={1} miw={0}>
          <TitleCell document={document} />
          <Text size="xs" c="dimmed">
            {facts.filter(Boolean).join(" · ")}
          </Text>
          <TagsCell document={document} colorOf={colorOf} canWrite={canWrite} />
          <StatusCell document={document} canWrite={canWrite} />
        </Stack>
        <RowMenu document={document} canWrite={canWrite} />
      </Group>
    </Paper>
  );
}
