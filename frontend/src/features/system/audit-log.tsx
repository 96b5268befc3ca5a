import "@mantine/core/styles/Table.css";
import { Button, Stack, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "@/lib/format";
import { EmptyState, ErrorState, LoadingState } from "@/shared/states";
import { useActorName } from "./use-actor-name";
import { useAudit } from "./use-system";

/** Who did what, the newest first. */
export function AuditLog() {
  const { t } = useTranslation();
  const nameOf = useActorName();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAudit();
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState />;
  const events = data.pages.flatMap((page) => page.items);
  if (events.length === 0) return <EmptyState title={t("system.logEmpty")} />;
  return (
    <Stack gap="sm" align="flex-start">
      <Table fz="sm" aria-label={t("system.logTitle")}>
        <Table.Tbody>
          {events.map((event) => (
            <Table.Tr key={event.id}>
              <Table.Td>
                {t(`audit.${event.action}`, { defaultValue: event.action })}
                <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                  {event.target.replace(/^email:/, "")}
                </Text>
              </Table.Td>
              <Table.Td>{nameOf(event.actor)}</Table.Td>
              <Table.Td style={{ whiteSpace: "nowrap" }} ta="end">
                {formatDateTime(event.at)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {hasNextPage ? (
        <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t("system.logMore")}
        </Button>
      ) : null}
    </Stack>
  );
}
