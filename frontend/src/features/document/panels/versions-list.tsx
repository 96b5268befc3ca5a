import { Alert, Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { IconDownload, IconRestore } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useCanWrite } from "@/features/collections/use-collections";
import type { DocumentRecord } from "@/features/document/use-document";
import { useVersionMutations, useVersions, type Version, versionUrl } from "@/features/document/use-versions";
import { failureWords } from "@/features/documents/status/document-status";
import { formatBytes, formatDateTime, formatNumber } from "@/lib/format";
import { notifyDone, notifyError } from "@/shared/notify";
import { ErrorState, LoadingState, PlainList } from "@/shared/states";
import { NewVersion } from "./new-version";

/** The versions of a document, their differences, and a button that restores each. */
export function VersionsList({ document }: { document: DocumentRecord }) {
  const { t } = useTranslation();
  const canWrite = useCanWrite()(document.collection.id) && document.deleted_at === null;
  const { data, error, refetch } = useVersions(document);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState rows={3} />;
  return (
    <Stack gap="sm">
      {canWrite ? <NewVersion document={document} /> : null}
      <PlainList component="ol" gap="xs" aria-label={t("versions.label")}>
        {data.items.map((version) => (
          <VersionCard
            key={version.number}
            documentId={document.id}
            version={version}
            canRestore={canWrite && !version.is_current && version.state === "replaced"}
          />
        ))}
      </PlainList>
    </Stack>
  );
}

interface VersionCardProps {
  documentId: string;
  version: Version;
  canRestore: boolean;
}

function VersionCard({ documentId, version, canRestore }: VersionCardProps) {
  const { t } = useTranslation();
  const { restore } = useVersionMutations();
  const { number, error } = version;
  const facts = [formatDateTime(version.created_at), formatBytes(version.size_bytes)];
  if (version.page_count !== null) facts.push(t("documents.pagesCount", { count: version.page_count }));
  const onRestore = () =>
    restore.mutate(
      { params: { path: { document_id: documentId, number } } },
      { onSuccess: () => notifyDone(t("versions.restoring", { number })), onError: notifyError },
    );
  return (
    <Paper component="li" withBorder p="sm" radius="md">
      <Group justify="space-between" gap="xs" mb={4}>
        <Text fw={600}>{t("versions.number", { number })}</Text>
        <Badge variant={version.is_current ? "filled" : "default"}>{t(`versions.state.${version.state}`)}</Badge>
      </Group>
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {version.filename}
      </Text>
      <Text size="xs" c="dimmed">
        {facts.join(" · ")}
      </Text>
      <Changes version={version} />
      {version.restored_from ? (
        <Text size="xs" c="dimmed">
          {t("versions.restoredFrom", { number: version.restored_from })}
        </Text>
      ) : null}
      {error ? (
        <Alert color={version.state === "failed" ? "red" : "gray"} variant="outline" mt="xs" p="xs">
          {Object.values(failureWords(error, t)).filter(Boolean).join(". ")}
        </Alert>
      ) : null}
      <Group gap="xs" mt="xs">
        <Button
          component="a"
          href={versionUrl(documentId, number)}
          download={version.filename}
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          aria-label={t("versions.download", { number })}
        >
          {t("actions.download")}
        </Button>
        {canRestore ? (
          <Button
            size="compact-sm"
            variant="default"
            loading={restore.isPending}
            leftSection={<IconRestore size={14} aria-hidden />}
            aria-label={t("versions.restore", { number })}
            onClick={onRestore}
          >
            {t("versions.restoreShort")}
          </Button>
        ) : null}
      </Group>
    </Paper>
  );
}

/** Chunks unchanged, added and removed since the version before. Nothing for the first. */
function Changes({ version }: { version: Version }) {
  const { t } = useTranslation();
  const { chunks_unchanged: kept, chunks_added: added, chunks_removed: gone } = version;
  if (kept === null || added === null || gone === null) return null;
  const values = { kept: formatNumber(kept), added: formatNumber(added), gone: formatNumber(gone) };
  return <Text size="sm">{t("versions.changes", values)}</Text>;
}
