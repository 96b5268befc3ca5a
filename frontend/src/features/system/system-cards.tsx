import { Progress, SimpleGrid } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes, formatDateTime, formatNumber } from "@/lib/format";
import { EmbeddingsCard } from "./embeddings-card";
import { FactList } from "./fact-list";
import type { SystemFacts } from "./use-system";

const STATUSES = ["ready", "processing", "queued", "failed"] as const;

/** The facts, a card for each part. */
export function SystemCards({ facts }: { facts: SystemFacts }) {
  const { t } = useTranslation();
  const { library, versions } = facts;
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
          ["LibreOffice", t(`system:officePages.${facts.office_pages}`)],
          [t("system:since"), formatDateTime(facts.started_at)],
        ]}
      />
    </SimpleGrid>
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
