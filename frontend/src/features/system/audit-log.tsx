import { Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "@/lib/format";
import { EmptyState, ErrorState, LoadingState, MoreButton } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import { useActorName } from "./use-actor-name";
import { useAudit } from "./use-system";

/** Audit events, the newest first. */
export function AuditLog() {
  const { t } = useTranslation();
  const nameOf = useActorName();
  const list = useAudit();
  const { data, error, refetch } = list;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState />;
  const events = data.pages.flatMap((page) => page.items);
  if (events.length === 0) return <EmptyState title={t("system:logEmpty")} />;
  return (
    <Stack gap="sm" align="flex-start">
      <Table fz="sm" aria-label={t("system:logTitle")}>
        <Table.Thead>
          <Table.Tr>
            {(["what", "who", "when"] as const).map((column) => (
              <Table.Th key={column} scope="col" p={0}>
                <VisuallyHidden>{t(`system:logColumn.${column}`)}</VisuallyHidden>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {events.map((event) => (
            <Table.Tr key={event.id}>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                {t(`system:audit.${event.action}`, { defaultValue: event.action })}
                <Target target={event.target} named={nameIn(event.details)} />
              </Table.Td>
              <Table.Td style={{ overflowWrap: "break-word" }}>{nameOf(event.actor)}</Table.Td>
              <Table.Td ta="end">{formatDateTime(event.at)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <MoreButton query={list} size="xs">
        {t("system:logMore")}
      </MoreButton>
    </Stack>
  );
}

/** The name that a person gave to what was acted on, where the event keeps it. */
function nameIn({ name, email }: Record<string, unknown>): string | null {
  return [name, email].find((value): value is string => typeof value === "string") ?? null;
}

/** The object of an event: a link to a document, else a name. Nothing for a session. */
function Target({ target, named }: { target: string; named: string | null }) {
  const { t } = useTranslation();
  const [kind, id = ""] = target.split(/:(.*)/s);
  if (kind === "session") return null;
  return (
    <Text size="xs" c="dimmed">
      {kind === "document" ? (
        <TextLink to="/documents/$documentId" params={{ documentId: id }} size="xs">
          {t("system:audit.openDocument")}
        </TextLink>
      ) : (
        (named ?? (kind === "generation" ? t("system:generation", { number: id }) : target.replace(/^email:/, "")))
      )}
    </Text>
  );
}
