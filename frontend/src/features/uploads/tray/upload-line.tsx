import { Button, CloseButton, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { PasswordButton } from "@/features/documents/status/password-button";
import { StatusLine } from "@/features/documents/status/status-cell";
import { pickFiles } from "@/features/uploads/dialog/chosen-files";
import { cancelJob, ingest } from "@/features/uploads/upload-api";
import { phaseOf, type UploadItem } from "@/features/uploads/upload-item";
import { followAgain, uploads } from "@/features/uploads/uploads";
import { notifyError } from "@/shared/notify";
import styles from "./upload-tray.module.css";
import { isFinal, uploadWords } from "./upload-words";

/** One file of the tray with its status and actions. */
export const UploadLine = memo(function UploadLine({ item }: { item: UploadItem }) {
  const { t } = useTranslation();
  const { note, ...words } = uploadWords(item, t);
  const phase = phaseOf(item);
  return (
    <li className={styles.line}>
      <Group wrap="nowrap" gap="xs" justify="space-between">
        <Text size="sm" fw={500} truncate title={item.filename}>
          {item.filename}
        </Text>
        {phase === "active" ? null : (
          <CloseButton
            size="xs"
            aria-label={t("uploads.dismiss", { filename: item.filename })}
            onClick={() => uploads.remove((one) => one.id === item.id)}
          />
        )}
      </Group>
      {note ? (
        <Text size="xs" fw={500}>
          {note}
        </Text>
      ) : null}
      <StatusLine words={words} />
      <Actions item={item} remedy={words.remedy} />
    </li>
  );
});

function Actions({ item, remedy }: { item: UploadItem; remedy: "password" | "retry" | "none" }) {
  const { t } = useTranslation();
  const { id, state, document, filename } = item;
  const isUnsent = state === "waiting" || state === "sending" || state === "pausing";
  const job = document?.progress;
  const isRead = state === "kept" && phaseOf(item) === "active";
  const again = async (password?: string) => {
    if (document) followAgain(id, await ingest(document.id, password));
  };
  return (
    <Group gap={6} mt={4}>
      {isUnsent ? <Small label={t("actions.cancel")} of={filename} onClick={() => uploads.cancel(id)} /> : null}
      {isRead && job ? (
        <Small
          label={t("actions.cancel")}
          of={filename}
          onClick={() => void cancelJob(job.job_id).catch(notifyError)}
        />
      ) : null}
      {(state === "cancelled" || (state === "refused" && !isFinal(item))) && uploads.canRetry(id) ? (
        <Small label={t("actions.retry")} of={filename} onClick={() => uploads.retry(id)} />
      ) : null}
      {state === "lost" ? <Small label={t("uploads.chooseAgain")} of={filename} onClick={pickFiles} /> : null}
      {remedy === "password" && document ? (
        <PasswordButton documentId={document.id} filename={filename} onSubmit={again} />
      ) : null}
      {remedy === "retry" ? (
        <Small label={t("actions.retry")} of={filename} onClick={() => void again().catch(notifyError)} />
      ) : null}
      {document ? (
        <Button
          size="compact-xs"
          variant="default"
          component={Link}
          to={`/documents/${document.id}`}
          aria-label={`${t("actions.open")}: ${filename}`}
        >
          {t("actions.open")}
        </Button>
      ) : null}
    </Group>
  );
}

function Small({ label, of, onClick }: { label: string; of: string; onClick: () => void }) {
  return (
    <Button size="compact-xs" variant="default" aria-label={`${label}: ${of}`} onClick={onClick}>
      {label}
    </Button>
  );
}
