import { Alert, List, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatBytes } from "@/lib/format";
import type { SystemFacts } from "./use-system";

/** Problems that need an administrator, or a line that all systems work. */
export function SystemHealth({ facts }: { facts: SystemFacts }) {
  const { t } = useTranslation();
  const isWaitingForNobody = facts.queue.workers === 0;
  const troubles = [
    isWaitingForNobody && t("system:noWorker"),
    facts.disk?.is_low && t("system:diskLow", { free: formatBytes(facts.disk.free_bytes) }),
  ].filter((trouble): trouble is string => typeof trouble === "string");
  const isReady = facts.status === "ready";
  const isWell = isReady && troubles.length === 0;
  return (
    <Alert
      variant="outline"
      color={isReady ? (isWell ? "green" : "yellow") : "red"}
      icon={isWell ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={t(isReady ? "system:allWell" : "system:notReady")}
      role="status"
    >
      <Stack gap={4}>
        <List size="sm" listStyleType="none">
          {Object.entries(facts.checks).map(([name, result]) => (
            <List.Item key={name}>
              {t(`system:check.${name}`, { defaultValue: name })}: {t(result === "ok" ? "system:ok" : "system:failed")}
            </List.Item>
          ))}
        </List>
        {troubles.map((trouble) => (
          <Text size="sm" fw={500} key={trouble}>
            {trouble}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}
