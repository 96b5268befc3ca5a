import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { toFilter } from "@/features/documents/documents-search";
import { useBulk } from "@/features/documents/list/use-bulk";
import { ProgressBar } from "@/features/documents/status/status-cell";
import { formatNumber } from "@/lib/format";
import { askBefore } from "@/shared/dialog";
import { TextLink } from "@/shared/text-link";
import type { SystemFacts } from "./use-system";

/** The way to process every document again, and how far that is. */
export function ReprocessAll({ facts: { library, queue } }: { facts: SystemFacts }) {
  const { t } = useTranslation();
  const { run, isPending } = useBulk();
  const total = Object.values(library.documents).reduce((sum, count) => sum + count, 0);
  const working = queue.queued + queue.running;
  const ask = () =>
    askBefore({
      title: t("system:reprocess.title", { count: total }),
      text: t("system:reprocess.text"),
      action: t("system:reprocess.action"),
      isReversible: true,
      onConfirm: () => void run({ filter: toFilter({}) }, { action: "reingest" }),
    });
  return (
    <section aria-label={t("system:reprocess.action")}>
      <Group gap="md">
        <Button variant="default" loading={isPending} disabled={total === 0} onClick={ask}>
          {t("system:reprocess.action")}
        </Button>
        {working > 0 ? (
          <div style={{ flex: "0 1 320px" }}>
            <TextLink to="/jobs" search={{ state: "in_progress" }} size="sm">
              {t("system:reprocess.left", { count: working, all: formatNumber(total) })}
            </TextLink>
            <ProgressBar share={Math.max(0, 1 - working / Math.max(total, 1))} label={t("system:reprocess.progress")} />
          </div>
        ) : (
          <Text size="sm" c="dimmed">
            {t("system:reprocess.note")}
          </Text>
        )}
      </Group>
    </section>
  );
}
