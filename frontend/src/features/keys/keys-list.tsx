import { Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMe } from "@/features/session/use-session";
import { formatDate, formatTime } from "@/lib/format";
import { askBefore, openDialog } from "@/shared/dialog";
import { LinkButton } from "@/shared/link-button";
import { notifyDone, notifyError } from "@/shared/notify";
import { EmptyState, ErrorState, LoadingState, PlainList } from "@/shared/states";
import { KeyTest } from "./key-test";
import { KeyView } from "./key-view";
import { isOfEnvironment, nameOfKey } from "./name-of-key";
import { RotateKeyForm } from "./rotate-key-form";
import { type ApiKey, type CreatedKey, useKeyMutations, useKeys } from "./use-keys";

type State = "active" | "revoked" | "expired";

function stateOf(key: ApiKey): State {
  if (key.revoked_at) return "revoked";
  return key.expires_at && new Date(key.expires_at) < new Date() ? "expired" : "active";
}

export function KeysList({ onRotated }: { onRotated: (created: CreatedKey) => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useKeys();
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState />;
  if (data.items.length === 0) return <EmptyState title={t("keys:emptyTitle")}>{t("keys:emptyText")}</EmptyState>;
  return (
    <PlainList>
      {data.items.map((key) => (
        <KeyRow key={key.id} apiKey={key} onRotated={onRotated} />
      ))}
    </PlainList>
  );
}

function KeyRow({ apiKey, onRotated }: { apiKey: ApiKey; onRotated: (created: CreatedKey) => void }) {
  const { t } = useTranslation();
  const { revoke } = useKeyMutations();
  const state = stateOf(apiKey);
  const name = nameOfKey(apiKey, t);
  const ask = () =>
    askBefore({
      title: t("keys:revokeTitle", { name }),
      text: t("keys:revokeText"),
      action: t("keys:revoke"),
      onConfirm: () =>
        revoke.mutate(
          { params: { path: { key_id: apiKey.id } } },
          {
            onSuccess: () => notifyDone(t("keys:revoked", { name })),
            onError: notifyError,
          },
        ),
    });
  const rotate = () =>
    openDialog(t("keys:rotate.title", { name }), (close) => (
      <RotateKeyForm
        apiKey={apiKey}
        onRotated={(created) => {
          close();
          onRotated(created);
        }}
      />
    ));
  const look = () => openDialog(t("keys:view.title", { name }), () => <KeyView keyId={apiKey.id} />);
  const { me } = useMe();
  const overlap = apiKey.previous_expires_at;
  const day = (value: string | null) => (value ? formatDate(value) : t("keys:never"));
  const isNarrowed = Boolean(apiKey.tag_ids ?? apiKey.collection_ids ?? apiKey.document_ids);
  return (
    <Paper component="li" withBorder p="sm" tabIndex={-1} data-focus={`key-${apiKey.id}`}>
      <Stack gap="xs">
        <div>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            <Badge variant={state === "active" ? "filled" : "default"}>{t(`keys:state.${state}`)}</Badge>
            {apiKey.client_name ? (
              <Badge variant="light" tt="none">
                {t("keys:app", { name: apiKey.client_name })}
              </Badge>
            ) : null}
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
          <Text size="sm" c="dimmed">
            {t("keys:permits", {
              toolsets: apiKey.toolsets.join(", "),
              networks: apiKey.allowed_networks?.join(", ") ?? t("keys:everywhere"),
            })}
          </Text>
          {overlap && !apiKey.client_name && new Date(overlap) > new Date() ? (
            <Text size="sm">
              {t("keys:rotate.overlap", { prefix: apiKey.previous_prefix, moment: formatTime(overlap) })}
            </Text>
          ) : null}
        </div>
        {state === "active" ? (
          <KeyTest keyId={apiKey.id}>
            <Button size="xs" variant="default" onClick={look}>
              {t("keys:view.action")}
            </Button>
            {apiKey.client_name || isOfEnvironment(apiKey) ? null : (
              <Button size="xs" variant="default" onClick={rotate}>
                {t("keys:rotate.action")}
              </Button>
            )}
            {me?.role === "admin" ? (
              <LinkButton to="/activity" search={{ who: `key:${apiKey.id}` }} size="xs" variant="default">
                {t("keys:log")}
              </LinkButton>
            ) : null}
            <Button
              size="xs"
              variant="default"
              loading={revoke.isPending}
              onClick={ask}
              data-focus={`key-${apiKey.id}`}
            >
              {t("keys:revoke")}
            </Button>
          </KeyTest>
        ) : null}
      </Stack>
    </Paper>
  );
}
