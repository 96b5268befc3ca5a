import { Progress, SimpleGrid } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes, formatDateTime, formatNumber } from "@/lib/format";
import { TextLink } from "@/shared/text-link";
import { EmbeddingsCard } from "./embeddings-card";
import { FactList } from "./fact-list";
import type { SystemFacts } from "./use-system";

const STATUSES = ["ready", "processing", "queued", "failed"] as const;

/** The facts, a card for each part. */
export function SystemCards({ facts }: { facts: SystemFacts }) {
  const { t } = useTranslation();
  const { library, queue, versions } = facts;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <FactList
        title={t("system:section.library")}
        facts={[
          ...STATUSES.map((status): [string, ReactNode] => [
            `${t("system:documents")}: ${t(`documents.statusName.${status}`)}`,
            formatNumber(library.documents[status] ?? 0),
          ]),
          [t("system:trashed"), formatNumber(library.trashed_documents)],
          [t("system:pages"), formatNumber(library.pages)],
          [t("system:chunks"), formatNumber(library.chunks)],
          [t("nav.tags"), formatNumber(library.tags)],
          [t("nav.collections"), formatNumber(library.collections)],
          [t("system:users"), formatNumber(library.users)],
        ]}
      />
      <FactList
        title={t("system:section.queue")}
        facts={[
          [t("system:workers"), formatNumber(queue.workers)],
          [t("system:queued"), <JobsLink key="queued" state="in_progress" count={queue.queued} />],
          [t("system:running"), <JobsLink key="running" state="in_progress" count={queue.running} />],
          [t("system:failedDocuments"), <JobsLink key="failed" state="needs_attention" count={queue.failed} />],
          ...(queue.oldest_queued_at
            ? [[t("system:oldest"), formatDateTime(queue.oldest_queued_at)] as [string, string]]
            : []),
        ]}
      />
      <StorageCard facts={facts} />
      <EmbeddingsCard facts={facts} />
      <FactList
        title={t("system:section.versions")}
        facts={[
          ["Lectern", versions.lectern],
          ["Postgres", versions.postgres],
          ["pgvector", versions.pgvector],
          ["Python", versions.python],
          [t("system:platform"), versions.platform],
          [t("system:since"), formatDateTime(facts.started_at)],
        ]}
      />
    </SimpleGrid>
  );
}

function JobsLink({ state, count }: { state: "in_progress" | "needs_attention"; count: number }) {
  return (
    <TextLink to="/jobs" search={{ state }} size="sm">
      {formatNumber(count)}
    </TextLink>
  );
}

function StorageCard({ facts: { storage, disk } }: { facts: SystemFacts }) {
  const { t } = useTranslation();
  return (
    <FactList
      title={t("system:section.storage")}
      facts={[
        [t("system:kind"), t(storage.kind === "folder" ? "system:folder" : "system:objectStore")],
        [
          t("system:originals"),
          t("system:originalsValue", {
            count: storage.original_count,
            size: formatBytes(storage.original_bytes),
          }),
        ],
        [t("system:database"), formatBytes(storage.database_bytes)],
        ...(disk
          ? [
              [
                t("system:disk"),
                t("system:diskValue", {
                  free: formatBytes(disk.free_bytes),
                  total: formatBytes(disk.total_bytes),
                }),
              ] as [string, string],
            ]
          : []),
      ]}
    >
      {disk ? (
        <Progress
          mt="xs"
          value={(1 - disk.free_bytes / disk.total_bytes) * 100}
          color={disk.is_low ? "red" : "petrol"}
          aria-label={t("system:diskUsed")}
        />
      ) : null}
    </FactList>
  );
}
