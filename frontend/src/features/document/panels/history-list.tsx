import { Stack, Text, Timeline } from "@mantine/core";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { changesOf } from "@/features/activity/changes-list";
import type { DocumentRecord } from "@/features/document/use-document";
import { errorOf, failureWords } from "@/features/documents/status/document-status";
import { useMe } from "@/features/session/use-session";
import { useActorName } from "@/features/system/use-actor-name";
import { useAudit } from "@/features/system/use-system";
import { $api } from "@/lib/api/client";
import type { components } from "@/lib/api/schema";
import { formatDateTime, formatDecimal } from "@/lib/format";
import { ErrorState, LoadingState } from "@/shared/states";

type Job = components["schemas"]["DocumentJobResponse"];

interface Entry {
  id: string;
  at: string;
  title: string;
  details: (string | null | undefined)[];
}

const MOST = 50;

/** The history of a document: its upload, its jobs, and for administrators every change. */
export function HistoryList({ document }: { document: DocumentRecord }) {
  const { t } = useTranslation();
  const { me } = useMe();
  const jobs = $api.useQuery("get", "/api/v1/jobs", {
    params: { query: { document_id: document.id, limit: MOST } },
  });
  if (jobs.error) return <ErrorState error={jobs.error} onRetry={() => void jobs.refetch()} />;
  if (!jobs.data || !me) return <LoadingState rows={3} />;
  const read = jobs.data.items.map((job) => ofJob(job, t));
  if (me.role === "admin") return <WithChanges document={document} read={read} />;
  const isOwn = document.created_by === `user:${me.id}`;
  const added: Entry = {
    id: "added",
    at: document.created_at,
    title: isOwn ? t("history.added", { name: t("history.you") }) : t("document.added"),
    details: [],
  };
  return <Entries entries={[...read, added]} />;
}

function WithChanges({ document, read }: { document: DocumentRecord; read: Entry[] }) {
  const { t } = useTranslation();
  const nameOf = useActorName();
  const audit = useAudit({ target: `document:${document.id}`, limit: MOST });
  if (audit.error) return <ErrorState error={audit.error} onRetry={() => void audit.refetch()} />;
  if (!audit.data) return <LoadingState rows={3} />;
  const changes = audit.data.pages
    .flatMap((page) => page.items)
    .map((event) => ({
      id: `event-${event.id}`,
      at: event.at,
      title: t(`system:audit.${event.action}`, { defaultValue: event.action }),
      details: [t("history.by", { name: nameOf(event.actor) }), changesOf(event.details, null, t).join(" · ")],
    }));
  return <Entries entries={[...read, ...changes]} />;
}

function Entries({ entries }: { entries: Entry[] }) {
  const sorted = [...entries].sort((a, b) => b.at.localeCompare(a.at));
  return (
    <Stack>
      <Timeline bulletSize={14} lineWidth={2} active={sorted.length}>
        {sorted.map((entry) => (
          <Timeline.Item key={entry.id} title={<Text fw={600}>{entry.title}</Text>}>
            {entry.details.filter(Boolean).map((detail) => (
              <Text size="sm" key={detail} style={{ overflowWrap: "anywhere" }}>
                {detail}
              </Text>
            ))}
            <Text size="xs" c="dimmed">
              {formatDateTime(entry.at)}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Stack>
  );
}

function failureText(job: Job, t: TFunction): string | null {
  const error = errorOf(job);
  return error && Object.values(failureWords(error, t)).filter(Boolean).join(". ");
}

function ofJob(job: Job, t: TFunction): Entry {
  const seconds = Object.values(job.timings_seconds).reduce<number>(
    (sum, value) => sum + (typeof value === "number" ? value : 0),
    0,
  );
  return {
    id: job.id,
    at: job.finished_at ?? job.started_at ?? job.created_at,
    title: t(`history.job.${job.state}`),
    details: [
      failureText(job, t),
      job.state === "succeeded" && seconds > 0 ? t("history.took", { seconds: formatDecimal(seconds, 1) }) : null,
      job.attempts > 1 ? t("history.attempts", { count: job.attempts }) : null,
    ],
  };
}
