import { Alert, Box, Button, Group, Paper, Progress, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { errorOf, failureWords } from "@/features/documents/status/document-status";
import { PasswordButton } from "@/features/documents/status/password-button";
import { useDocumentMutations } from "@/features/documents/use-documents";
import { formatDateTime } from "@/lib/format";
import { notifyError } from "@/shared/notify";
import { EmptyState, ErrorState, LoadingState, MoreButton, PlainList } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import { type Job, type JobGroup, useJobMutations, useJobs } from "./use-jobs";

export function JobsList({ group }: { group: JobGroup }) {
  const { t } = useTranslation();
  const list = useJobs(group);
  const { data, error, refetch } = list;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState />;
  const jobs = data.pages.flatMap((page) => page.items);
  if (jobs.length === 0) return <EmptyState title={t(`jobs.empty.${group}`)} />;
  return (
    <Stack gap="sm">
      <PlainList>
        {jobs.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </PlainList>
      <MoreButton query={list}>{t("jobs.more")}</MoreButton>
    </Stack>
  );
}

function JobRow({ job }: { job: Job }) {
  const { t } = useTranslation();
  const { retry, cancel } = useJobMutations();
  const { ingest } = useDocumentMutations();
  const target = { params: { path: { job_id: job.id } } };
  const isActive = job.state === "queued" || job.state === "running";
  const canRetry = job.state === "failed" || job.state === "cancelled";
  // without the password it would only fail again
  const isLocked = canRetry && job.error_code === "encrypted";
  const moment = formatDateTime(job.finished_at ?? job.started_at ?? job.created_at);
  const stage = job.stage && job.state !== "succeeded" ? t(`jobs.stage.${job.stage}`) : null;
  const error = errorOf(job);
  const failure = error ? failureWords(error, t) : null;
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <TextLink to="/documents/$documentId" params={{ documentId: job.document_id }} fw={600}>
            {job.filename}
          </TextLink>
          <Text size="sm" c="dimmed">
            {[t(`jobs.state.${job.state}`), stage, moment].filter(Boolean).join(" · ")}
          </Text>
          {job.attempts > 1 ? (
            <Text size="sm" c="dimmed">
              {t("jobs.attempts", { attempts: job.attempts, most: job.max_attempts })}
            </Text>
          ) : null}
        </div>
        {isActive ? (
          <Button
            size="xs"
            variant="default"
            flex="none"
            onClick={() => cancel.mutate(target, { onError: notifyError })}
          >
            {t("actions.cancel")}
          </Button>
        ) : null}
        {isLocked ? (
          <Box flex="none">
            <PasswordButton
              filename={job.filename}
              onSubmit={(password) =>
                ingest.mutateAsync({ params: { path: { document_id: job.document_id } }, body: { password } })
              }
            />
          </Box>
        ) : canRetry ? (
          <Button
            size="xs"
            variant="default"
            flex="none"
            onClick={() => retry.mutate(target, { onError: notifyError })}
          >
            {t("actions.retry")}
          </Button>
        ) : null}
      </Group>
      {isActive ? (
        <Progress value={job.progress * 100} mt="xs" aria-label={t("jobs.progress", { name: job.filename })} />
      ) : null}
      {failure ? (
        <Alert color={job.state === "cancelled" ? "gray" : "red"} variant="outline" mt="xs" p="xs">
          <Text size="sm">{failure.label}</Text>
          {failure.detail ? <Text size="sm">{failure.detail}</Text> : null}
        </Alert>
      ) : null}
    </Paper>
  );
}
