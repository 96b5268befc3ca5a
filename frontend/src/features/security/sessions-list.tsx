import { Badge, Button, Group, Paper, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { SignOutEverywhereForm } from "@/features/session/sign-out-everywhere-form";
import { formatDateTime } from "@/lib/format";
import { openDialog } from "@/shared/dialog";
import { notifyDone, notifyError } from "@/shared/notify";
import { ErrorState, LoadingState, PlainList } from "@/shared/states";
import { browserName } from "./browser-name";
import { type Session, useEndSession, useSessions } from "./use-security";

/** The sessions of the person. Each other one can be ended. */
export function SessionsList() {
  const { t } = useTranslation();
  const { data, error, refetch } = useSessions();
  const title = t("account.signOutEverywhere");
  return (
    <section aria-label={t("security:sessions.title")}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {t("security:sessions.title")}
        </Title>
        <Button size="xs" variant="default" onClick={() => openDialog(title, () => <SignOutEverywhereForm />)}>
          {title}
        </Button>
      </Group>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <PlainList>
          {data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </PlainList>
      ) : error ? null : (
        <LoadingState />
      )}
    </section>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { t } = useTranslation();
  const end = useEndSession();
  const name = browserName(session.user_agent) || t("security:sessions.unknownBrowser");
  const stop = () =>
    end.mutate(
      { params: { path: { session_id: session.id } } },
      { onSuccess: () => notifyDone(t("security:sessions.ended")), onError: notifyError },
    );
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" wrap="nowrap">
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={600} style={{ overflowWrap: "anywhere" }}>
              {name}
            </Text>
            {session.is_current ? <Badge variant="default">{t("security:sessions.current")}</Badge> : null}
          </Group>
          <Text size="sm" c="dimmed">
            {t("security:sessions.line", { ip: session.ip, moment: formatDateTime(session.refreshed_at) })}
          </Text>
        </div>
        {session.is_current ? null : (
          <Button
            size="xs"
            variant="default"
            style={{ flexShrink: 0 }}
            loading={end.isPending}
            aria-label={t("security:sessions.endOf", { name })}
            onClick={stop}
          >
            {t("security:sessions.end")}
          </Button>
        )}
      </Group>
    </Paper>
  );
}
