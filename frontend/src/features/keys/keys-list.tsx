import { Badge, Button, Group, Paper, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatDate } from "@/lib/format";
import { askBefore } from "@/shared/dialog";
import { notifyDone, notifyError } from "@/shared/notify";
import { EmptyState, ErrorState, LoadingState, PlainList } from "@/shared/states";
import { type ApiKey, useKeyMutations, useKeys } from "./use-keys";

type State = "active" | "revoked" | "expired";

function stateOf(key: ApiKey): State {
  if (key.revoked_at) return "revoked";
  return key.expires_at && new Date(key.expires_at) < new Date() ? "expired" : "active";
}

export function KeysList() {
  const { t } = useTranslation();
  const { data, error, refetch } = useKeys();
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState />;
  if (data.items.length === 0) return <EmptyState title={t("keys:emptyTitle")}>{t("keys:emptyText")}</EmptyState>;
  return (
    <PlainList>
      {data.items.map((key) => (
        <KeyRow key={key.id} apiKey={key} />
      ))}
    </PlainList>
  );
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation();
  const { revoke } = useKeyMutations();
  const state = stateOf(apiKey);
  const ask = () =>
    askBefore({
      title: t("keys:revokeTitle", { name: apiKey.name }),
      text: t("keys:revokeText"),
      action: t("keys:revoke"),
      onConfirm: () =>
        revoke.mutate(
          { params: { path: { key_id: apiKey.id } } },
          {
            onSuccess: () => notifyDone(t("keys:revoked", { name: apiKey.name })),
            onError: notifyError,
          },
        ),
    });
  const day = (value: string | null) => (value ? formatDate(value) : t("keys:never"));
  const isNarrowed = Boolean(apiKey.tag_ids ?? apiKey.collection_ids ?? apiKey.document_ids);
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between">
        <div>
          <Group gap="xs">
            <Text fw={600}>{apiKey.name}</Text>
            <Badge variant={state === "active" ? "filled" : "default"}>{t(`keys:state.${state}`)}</Badge>
            <Badge variant="default">{t(apiKey.can_write ? "keys:readWrite" : "keys:readOnly")}</Badge>
            <Badge variant="default">{t(isNarrowed ? "keys:narrowed" : "keys:everything")}</Badge>
          </Group>
          <Text size="sm" c="dimmed">
            {t("keys:line", {
              prefix: apiKey.prefix,
              used: day(apiKey.last_used_at),
              expires: day(apiKey.expires_at),
            })}
          </Text>
        </div>
        {state === "active" ? (
          <Button size="xs" variant="default" loading={revoke.isPending} onClick={ask}>
            {t("keys:revoke")}
          </Button>
        ) : null}
      </Group>
    </Paper>
  );
}
