import { Button, FileButton, Group, Stack, Text } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { DocumentRecord } from "@/features/document/use-document";
import {
  sendVersion,
  useVersionMutations,
  useVersionSending,
  type VersionSending,
} from "@/features/document/use-versions";
import { ProgressBar } from "@/features/documents/status/status-cell";
import { formatPercent } from "@/lib/format";
import { notifyDone, notifyError } from "@/shared/notify";

/** The way to a next version; while its file is sent, how much of it has left. */
export function NewVersion({ document }: { document: DocumentRecord }) {
  const { t } = useTranslation();
  const { onAccepted } = useVersionMutations();
  const sending = useVersionSending(document.id);

  async function send(file: File | null) {
    if (!file) return;
    try {
      const accepted = await sendVersion(document.id, file);
      onAccepted(accepted);
      notifyDone(t(accepted.is_unchanged ? "versions.unchanged" : "versions.sent"));
    } catch (error) {
      const isCancelled = error instanceof DOMException && error.name === "AbortError";
      if (!isCancelled) notifyError(error);
    }
  }

  if (sending) return <UnderWay sending={sending} />;
  return (
    <Group gap="sm">
      <FileButton onChange={(file) => void send(file)}>
        {(props) => (
          <Button {...props} size="xs" variant="default" leftSection={<IconUpload size={14} aria-hidden />}>
            {t("versions.upload")}
          </Button>
        )}
      </FileButton>
      <Text size="xs" c="dimmed" flex="1 1 12rem">
        {t("versions.note")}
      </Text>
    </Group>
  );
}

function UnderWay({ sending }: { sending: VersionSending }) {
  const { t } = useTranslation();
  const { filename, share, abort } = sending;
  const label = share >= 1 ? t("uploads.state.storing") : t("uploads.state.sending", { percent: formatPercent(share) });
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={500} truncate title={filename}>
          {filename}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          flex="none"
          aria-label={`${t("actions.cancel")}: ${filename}`}
          onClick={() => abort.abort()}
        >
          {t("actions.cancel")}
        </Button>
      </Group>
      <Text size="sm">{label}</Text>
      <ProgressBar share={share} label={label} />
    </Stack>
  );
}
