import { Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "@/lib/format";
import { askBefore, openDialog } from "@/shared/dialog";
import { notifyDone, notifyError, notifyOutcome } from "@/shared/notify";
import { EmptyState, ErrorState, LoadingState, PlainList, ProblemAlert } from "@/shared/states";
import { DeliveryLog } from "./delivery-log";
import { eventLabel } from "./event-label";
import { failureText } from "./failure-text";
import { ReplayForm } from "./replay-form";
import { type CreatedWebhook, useWebhookMutations, useWebhooks, type Webhook } from "./use-webhooks";
import { WebhookForm } from "./webhook-form";

interface WithCreated {
  onRotated: (created: CreatedWebhook) => void;
}

export function WebhooksList({ onRotated }: WithCreated) {
  const { t } = useTranslation();
  const { data, error, refetch } = useWebhooks();
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState />;
  if (data.length === 0) return <EmptyState title={t("webhooks:emptyTitle")}>{t("webhooks:emptyText")}</EmptyState>;
  return (
    <PlainList>
      {data.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} onRotated={onRotated} />
      ))}
    </PlainList>
  );
}

const COLORS = { active: "green", retrying: "yellow", failing: "red", paused: "gray" } as const;

function WebhookRow({ webhook, onRotated }: { webhook: Webhook } & WithCreated) {
  const { t } = useTranslation();
  const { state, pending_count: count, last_delivered_at: delivered, next_attempt_at: next } = webhook;
  const facts = [
    webhook.description,
    webhook.event_types?.map(eventLabel).join(", ") ?? t("webhooks:allEvents"),
    count > 0 ? t("webhooks:pending", { count }) : null,
    delivered ? t("webhooks:delivered", { moment: formatDateTime(delivered) }) : null,
    state === "retrying" && next ? t("webhooks:retry", { moment: formatDateTime(next) }) : null,
  ];
  return (
    <Paper component="li" withBorder p="sm">
      <Stack gap="xs">
        <div>
          <Group gap="xs">
            <Text fw={600} style={{ overflowWrap: "anywhere" }}>
              {webhook.url}
            </Text>
            <Badge variant="light" color={COLORS[state]}>
              {t(`webhooks:state.${state}`)}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed">
            {facts.filter(Boolean).join(" · ")}
          </Text>
        </div>
        <ProblemAlert error={webhook.last_error} variant="outline" p="xs">
          {failureText(webhook.last_error ?? "")}
        </ProblemAlert>
        <Actions webhook={webhook} onRotated={onRotated} />
      </Stack>
    </Paper>
  );
}

function Actions({ webhook, onRotated }: { webhook: Webhook } & WithCreated) {
  const { t } = useTranslation();
  const { update, remove, rotate, test } = useWebhookMutations();
  const params = { path: { webhook_id: webhook.id } };
  const isRunning = webhook.state === "active" || webhook.state === "retrying";
  const { url } = webhook;
  const sendTest = () =>
    test.mutate(
      { params },
      {
        onSuccess: ({ error }) => (error ? notifyError(failureText(error)) : notifyDone(t("webhooks:testDone"))),
        onError: notifyError,
      },
    );
  const askRotate = () =>
    askBefore({
      title: t("webhooks:rotate"),
      text: t("webhooks:rotateText"),
      action: t("webhooks:rotate"),
      isReversible: true,
      onConfirm: () => rotate.mutate({ params }, { onSuccess: onRotated, onError: notifyError }),
    });
  const askRemove = () =>
    askBefore({
      title: t("webhooks:deleteTitle"),
      text: t("webhooks:deleteText"),
      action: t("webhooks:delete"),
      onConfirm: () => void notifyOutcome(remove.mutateAsync({ params }), t("webhooks:deleted")),
    });
  const buttons = [
    { label: t("webhooks:test"), act: sendTest },
    {
      label: t(isRunning ? "webhooks:pause" : "webhooks:resume"),
      act: () => update.mutate({ params, body: { is_active: !isRunning } }, { onError: notifyError }),
    },
    {
      label: t("webhooks:log"),
      act: () => openDialog(t("webhooks:logTitle", { url }), () => <DeliveryLog webhookId={webhook.id} />),
    },
    {
      label: t("webhooks:replay"),
      act: () => openDialog(t("webhooks:replayTitle"), (close) => <ReplayForm webhook={webhook} onDone={close} />),
    },
    {
      label: t("webhooks:edit"),
      act: () => openDialog(t("webhooks:edit"), (close) => <WebhookForm webhook={webhook} onDone={close} />),
    },
    { label: t("webhooks:rotate"), act: askRotate },
    { label: t("webhooks:delete"), act: askRemove },
  ];
  return (
    <Group gap="xs">
      {buttons.map(({ label, act }) => (
        <Button key={label} size="xs" variant="default" onClick={act}>
          {label}
        </Button>
      ))}
    </Group>
  );
}
