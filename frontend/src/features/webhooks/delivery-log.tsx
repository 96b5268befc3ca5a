import { Stack, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "@/lib/format";
import { EmptyState, ErrorState, LoadingState, MoreButton } from "@/shared/states";
import { eventLabel } from "./event-label";
import { failureText } from "./failure-text";
import { useDeliveries } from "./use-webhooks";

/** The attempts of a webhook: what was sent, and how the endpoint answered. */
export function DeliveryLog({ webhookId }: { webhookId: string }) {
  const { t } = useTranslation();
  const list = useDeliveries(webhookId);
  const { data, error, refetch } = list;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState />;
  const attempts = data.pages.flatMap((page) => page.items);
  if (attempts.length === 0) return <EmptyState title={t("webhooks:logEmpty")} />;
  return (
    <Stack gap="sm" align="flex-start">
      <Table fz="sm" aria-label={t("webhooks:log")}>
        <Table.Thead>
          <Table.Tr>
            {(["event", "result", "when"] as const).map((column) => (
              <Table.Th key={column} scope="col">
                {t(`webhooks:column.${column}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {attempts.map((each) => (
            <Table.Tr key={each.id}>
              <Table.Td>
                {eventLabel(each.event_type)}
                <Text size="xs" c="dimmed">
                  {[
                    each.cursor === null ? null : t("webhooks:cursor", { cursor: each.cursor }),
                    each.attempt > 1 ? t("webhooks:attempt", { attempt: each.attempt }) : null,
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </Text>
              </Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                {each.error
                  ? failureText(each.error)
                  : t("webhooks:accepted", { status: each.status_code, ms: each.milliseconds })}
              </Table.Td>
              <Table.Td>{formatDateTime(each.at)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <MoreButton query={list} size="xs">
        {t("webhooks:more")}
      </MoreButton>
    </Stack>
  );
}
