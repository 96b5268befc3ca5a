import { Box, Button } from "@mantine/core";
import { IconAlertCircle, IconCircleCheck, IconHourglass, IconLoader } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { useDocumentMutations } from "@/features/documents/use-documents";
import { CodeText } from "@/shared/code-text";
import { notifyError } from "@/shared/notify";
import { type Document, type StatusWords, statusWords } from "./document-status";
import { PasswordButton } from "./password-button";
import styles from "./status-cell.module.css";

const ICONS = {
  waiting: IconHourglass,
  working: IconLoader,
  ready: IconCircleCheck,
  failed: IconAlertCircle,
} as const;

interface StatusCellProps {
  document: Document;
  canWrite: boolean;
  /** Handed down: `useTranslation` in each of a hundred rows costs more than the rows. */
  t: TFunction;
}

/** The status of a document: a bar while it is processed, and a remedy if it failed. */
export function StatusCell({ document, canWrite, t }: StatusCellProps) {
  const words = statusWords(document, t);
  return (
    <div>
      <StatusLine words={words} />
      {canWrite && words.remedy !== "none" ? (
        <Box mt={4}>
          <Remedy document={document} remedy={words.remedy} />
        </Box>
      ) : null}
    </div>
  );
}

/** The status in one line of a table, or of something wider, and nothing for a document that is ready. */
export function RowStatus({ document, canWrite, isWide, t }: StatusCellProps & { isWide?: boolean }) {
  const words = statusWords(document, t);
  if (words.tone === "ready" && !words.detail) return <span className="lectern-hidden">{words.label}</span>;
  const Icon = words.tone === "ready" ? IconAlertCircle : ICONS[words.tone];
  const label = words.tone === "ready" ? (words.detail ?? "") : words.label;
  const isMoving = words.tone === "working" && words.share !== undefined;
  return (
    <div className={styles.row} title={[label, words.tone === "ready" ? "" : words.detail].filter(Boolean).join(". ")}>
      <div className={`${styles.line} ${styles[words.tone === "ready" ? "waiting" : words.tone]}`}>
        <Icon size={16} stroke={1.8} aria-hidden />
        {/* The button says what is wrong, and a narrow line has no room for both. */}
        <span className={canWrite && words.remedy === "password" && !isWide ? "lectern-hidden" : styles.words}>
          {label}
        </span>
        {canWrite && words.remedy !== "none" ? <Remedy document={document} remedy={words.remedy} /> : null}
      </div>
      {isMoving ? <ProgressBar share={words.share ?? 0} label={words.label} /> : null}
    </div>
  );
}

/** The words and the bar alone. */
export function StatusLine({ words }: { words: StatusWords }) {
  const Icon = ICONS[words.tone];
  return (
    <>
      <div className={`${styles.line} ${styles[words.tone]}`}>
        <Icon size={16} stroke={1.8} aria-hidden />
        <span>{words.label}</span>
      </div>
      {words.share === undefined || words.tone === "waiting" ? null : (
        <ProgressBar share={words.share} label={words.label} />
      )}
      {words.detail ? (
        <div className={styles.detail}>
          <CodeText text={words.detail} />
        </div>
      ) : null}
    </>
  );
}

export function ProgressBar({ share, label }: { share: number; label: string }) {
  const percent = Math.floor(share * 100);
  return (
    <div
      className={styles.bar}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  );
}

function Remedy({ document, remedy }: { document: Document; remedy: "password" | "retry" }) {
  const { t } = useTranslation();
  const { ingest } = useDocumentMutations();
  const path = { document_id: document.id };
  if (remedy === "password") {
    return (
      <PasswordButton
        documentId={document.id}
        filename={document.filename}
        onSubmit={(password) => ingest.mutateAsync({ params: { path }, body: { password } })}
      />
    );
  }
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={ingest.isPending}
      onClick={() => ingest.mutate({ params: { path } }, { onError: notifyError })}
    >
      {t("actions.retry")}
    </Button>
  );
}
