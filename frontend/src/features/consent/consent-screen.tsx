import { Alert, Button, Code, Paper, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { KeyForm } from "@/features/keys/key-form";
import type { NewKey } from "@/features/keys/use-keys";
import { $api } from "@/lib/api/client";
import type { components } from "@/lib/api/schema";
import { notifyError } from "@/shared/notify";
import { PageHeading } from "@/shared/page-head";
import { EmptyState, LoadingState, ProblemAlert } from "@/shared/states";
import type { AuthorizationRequest } from "./authorization-request";

type Preview = components["schemas"]["AuthorizationPreview"];

interface ConsentScreenProps {
  request: AuthorizationRequest;
  /** Return to the app. */
  leave: (address: string) => void;
}

/** Ask a person whether an app may read the library, and limit the app to what it needs. */
export function ConsentScreen({ request, leave }: ConsentScreenProps) {
  const { t } = useTranslation();
  const { data, error } = $api.useQuery(
    "get",
    "/api/v1/oauth/authorization",
    { params: { query: request } },
    { retry: false, staleTime: Number.POSITIVE_INFINITY },
  );
  const decide = $api.useMutation("post", "/api/v1/oauth/authorization");
  if (error) return <ProblemAlert error={error} title={t("keys:consent.cannot")} />;
  if (!data) return <LoadingState />;
  const wrong = data.redirect_to;
  // Anybody can register an app, so nobody is sent to its address without a click.
  if (wrong)
    return (
      <EmptyState
        level={1}
        title={t("keys:consent.cannot")}
        action={<Button onClick={() => leave(wrong)}>{t("keys:consent.back", { host: data.redirect_host })}</Button>}
      >
        {t("keys:consent.wrong")}
      </EmptyState>
    );
  const send = (key: NewKey | null) =>
    decide.mutate(
      { body: { request, key } },
      { onSuccess: ({ redirect_to }) => leave(redirect_to), onError: notifyError },
    );
  return (
    <Stack gap="lg">
      <PageHeading>{t("keys:consent.title", { name: data.client_name })}</PageHeading>
      <Facts preview={data} />
      <Paper withBorder p="md">
        <KeyForm
          name={data.client_name}
          toolsets={data.toolsets}
          submitLabel={t("keys:consent.allow")}
          isPending={decide.isPending}
          onSubmit={send}
        >
          <Button variant="default" disabled={decide.isPending} onClick={() => send(null)}>
            {t("keys:consent.refuse")}
          </Button>
        </KeyForm>
      </Paper>
    </Stack>
  );
}

function Facts({ preview }: { preview: Preview }) {
  const { t } = useTranslation();
  const { client_name: name, client_host: publisher, redirect_host: host, is_loopback: isLocal } = preview;
  return (
    <Alert color="yellow" title={t("keys:consent.check")}>
      <Stack gap={4}>
        <Text size="sm">
          {t(isLocal ? "keys:consent.local" : "keys:consent.host")} <Code fz="sm">{host}</Code>
        </Text>
        <Text size="sm">
          {publisher ? t("keys:consent.publisher", { host: publisher }) : t("keys:consent.unverified", { name })}
        </Text>
        <Text size="sm">{t("keys:consent.started", { name })}</Text>
      </Stack>
    </Alert>
  );
}
