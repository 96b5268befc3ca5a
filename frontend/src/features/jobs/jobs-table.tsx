import { Button, Stack, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useCanWrite } from "@/features/collections/use-collections";
import { errorOf, failureWords, remedyOf } from "@/features/documents/status/document-status";
import { PasswordButton } from "@/features/documents/status/password-button";
import { ProgressBar } from "@/features/documents/status/status-cell";
import { useDocumentMutations } from "@/features/documents/use-documents";
import { formatDateTime } from "@/lib/format";
import { notifyError } from "@/shared/notify";
import { EmptyState, ErrorState, LoadingState, MoreButton } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import styles from "./jobs-table.module.css";
import { type Job, type JobGroup, useJobMutations, useJobs } from "./use-jobs";

const COLUMNS = ["document", "stage", "since", "attempts"] as const;

/** Jobs with their stage, and what helps where one failed. */
export function JobsTable({ group }: { group: JobGroup }) {
  const { t } = useTranslation();
  const list = useJobs(group);
  const { data, error, refetch } = list;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState />;
  const jobs = data.pages.flatMap((page) => page.items);
  if (jobs.length === 0) return <EmptyState title={t(`jobs.empty.${group}`)} />;
  return (
    <Stack gap="sm" align="flex-start">
      <Table fz="sm" className={styles.table ?? ""} aria-label={t(`jobs.group.${group}`)}>
        <Table.Thead>
          <Table.Tr>
            {COLUMNS.map((column) => (
              <Table.Th key={column} scope="col" data-column={column}>
                {t(`jobs.column.${column}`)}
              </Table.Th>
            ))}
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </Table.Tbody>
      </Table>
      <MoreButton query={list}>{t("jobs.more")}</MoreButton>
    </Stack>
  );
}

function JobRow({ job }: { job: Job }) {
  const { t } = useTranslation();
  const canWrite = useCanWrite()();
  const error = errorOf(job);
  const failure = error ? failureWords(error, t) : null;
  return (
    <Table.Tr>
      <Table.Td data-column="document">
        <TextLink to="/documents/$documentId" params={{ documentId: job.document_id }} size="sm" fw={500}>
          {job.filename}
        </TextLink>
        {failure
          ? [failure.label, failure.detail].filter(Boolean).map((line) => (
              <Text key={line} size="xs" className={styles[job.state === "cancelled" ? "note" : "failure"] ?? ""}>
                {line}
              </Text>
            ))
          : null}
      </Table.Td>
      <Table.Td data-column="stage">
        <StageCell job={job} />
      </Table.Td>
      <Table.Td data-column="since">{formatDateTime(job.finished_at ?? job.started_at ?? job.created_at)}</Table.Td>
      <Table.Td data-column="attempts">
        <span className={styles.few}>{t("jobs.column.attempts")} </span>
        {t("jobs.attempts", { attempts: job.attempts, most: job.max_attempts })}
      </Table.Td>
      <Table.Td data-column="action">{canWrite ? <JobAction job={job} /> : null}</Table.Td>
    </Table.Tr>
  );
}

/** The stage of a job that is not done, with how far it is. */
function StageCell({ job }: { job: Job }) {
  const { t } = useTranslation();
  const stage = job.stage && job.state !== "succeeded" ? t(`jobs.stage.${job.stage}`) : null;
  return (
    <>
      {[t(`jobs.state.${job.state}`), stage].filter(Boolean).join(", ")}
      {job.state === "running" ? (
        <ProgressBar share={job.progress} label={t("jobs.progress", { name: job.filename })} />
      ) : null}
    </>
  );
}

function JobAction({ job }: { job: Job }) {
  const { t } = useTranslation();
  const { retry, cancel } = useJobMutations();
  const { ingest } = useDocumentMutations();
  const target = { params: { path: { job_id: job.id } } };
  const canRetry = job.state === "failed" || job.state === "cancelled";
  const remedy = canRetry ? remedyOf(job.error_code ?? "") : null;
  if (remedy === "password") {
    return (
      <PasswordButton
        documentId={job.document_id}
        filename={job.filename}
        onSubmit={(password) =>
          ingest.mutateAsync({ params: { path: { document_id: job.document_id } }, body: { password } })
        }
      />
    );
  }
  if (job.state === "succeeded" || remedy === "none") return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() => (canRetry ? retry : cancel).mutate(target, { onError: notifyError })}
    >
      {t(canRetry ? "actions.retry" : "actions.cancel")}
    </Button>
  );
}
