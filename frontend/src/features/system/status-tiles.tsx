import { Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { formatAge, formatBytes, formatPercent } from "@/lib/format";
import { CodeText } from "@/shared/code-text";
import { TextLink } from "@/shared/text-link";
import styles from "./status-tiles.module.css";
import { embeddedOf, isAlternative, type SystemFacts } from "./use-system";

interface Tile {
  name: "queue" | "worker" | "disk" | "backups" | "model";
  value: string;
  note: string;
  /** Without a value: nothing says whether it is well. */
  isWell?: boolean;
}

/** What an administrator looks at first: each part with its state in words. */
export function StatusTiles({ facts }: { facts: SystemFacts }) {
  const { t } = useTranslation();
  const tiles = tilesOf(facts, t);
  const isWell = facts.status === "ready" && tiles.every((tile) => tile.isWell !== false);
  const down = Object.entries(facts.checks).filter(([, result]) => result !== "ok");
  return (
    <>
      <p className={styles.summary} data-well={isWell} role="status">
        {facts.status === "ready" ? (
          isWell ? (
            <>
              <IconCircleCheck size={18} stroke={1.8} aria-hidden /> {t("system:allWell")}
            </>
          ) : (
            <>
              <IconAlertTriangle size={18} stroke={1.8} aria-hidden /> {t("system:needsAttention")}
            </>
          )
        ) : (
          <>
            <IconAlertTriangle size={18} stroke={1.8} aria-hidden /> {t("system:notReady")}{" "}
            {down.map(([name]) => t(`system:check.${name}`, { defaultValue: name })).join(", ")}
          </>
        )}
      </p>
      <dl className={styles.tiles}>
        {tiles.map(({ name, value, note, isWell }) => {
          const Icon = isWell === undefined ? IconInfoCircle : isWell ? IconCircleCheck : IconAlertTriangle;
          return (
            <div key={name} data-well={isWell}>
              <dt>
                <Icon size={16} stroke={1.8} aria-hidden /> {t(`system:tile.${name}`)}
              </dt>
              <dd>
                {name === "queue" ? (
                  <TextLink to="/jobs" className={styles.value ?? ""}>
                    {value}
                  </TextLink>
                ) : (
                  <span className={styles.value}>{value}</span>
                )}
                <Text size="xs" c="dimmed" component="span">
                  <CodeText text={note} />
                </Text>
              </dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}

function tilesOf({ queue, disk, checks, embeddings, library, storage }: SystemFacts, t: TFunction): Tile[] {
  const waiting = queue.queued + queue.running;
  const building = embeddings.generations.find(isAlternative);
  const share = library.chunks === 0 ? 1 : embeddings.embedded_chunks / library.chunks;
  return [
    {
      name: "queue",
      value: waiting === 0 ? t("system:tile.idle") : t("system:tile.jobs", { count: waiting }),
      note: queue.oldest_queued_at
        ? t("system:tile.waitingSince", { age: formatAge(queue.oldest_queued_at) })
        : t("system:tile.failedJobs", { count: queue.failed }),
      isWell: queue.failed === 0,
    },
    {
      name: "worker",
      value: t("system:tile.workers", { count: queue.workers }),
      note: t(queue.workers > 0 ? "system:tile.workerOk" : "system:noWorker"),
      isWell: queue.workers > 0,
    },
    disk
      ? {
          name: "disk",
          value: t("system:tile.free", { free: formatBytes(disk.free_bytes) }),
          note: disk.is_low
            ? t("system:diskLow", { free: formatBytes(disk.free_bytes) })
            : t("system:tile.of", { total: formatBytes(disk.total_bytes) }),
          isWell: !disk.is_low,
        }
      : { name: "disk", value: formatBytes(storage.original_bytes), note: t("system:objectStore") },
    { name: "backups", value: t("system:tile.outside"), note: t("system:tile.backupsHint") },
    {
      name: "model",
      value: t("system:tile.ready", { percent: formatPercent(Math.min(share, 1)) }),
      note: building
        ? t("system:tile.building", {
            model: building.embedding_model,
            percent: formatPercent(library.chunks === 0 ? 1 : embeddedOf(building, library.chunks) / library.chunks),
          })
        : embeddings.embedding_model,
      isWell: checks.model !== "failed",
    },
  ];
}
