import { Button, Stack, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useActors } from "@/features/system/use-actor-name";
import { useAudit } from "@/features/system/use-system";
import type { components } from "@/lib/api/schema";
import { formatDate, formatTime } from "@/lib/format";
import { EmptyState, ErrorState, LoadingState, MoreButton } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import { type ActivityUrl, toAuditQuery } from "./activity-url";
import { ChangesList } from "./changes-list";

type AuditEvent = components["schemas"]["AuditEventResponse"];

/** Audit events, the newest first. */
export function ActivityTable({ filter, onClear }: { filter: ActivityUrl; onClear: () => void }) {
  const { t } = useTranslation();
  const list = useAudit(toAuditQuery(filter));
  const names = useActors();
  const { data, error, refetch } = list;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState rows={8} />;
  const events = data.pages.flatMap((page) => page.items);
  if (events.length === 0) {
    if (Object.keys(filter).length === 0) return <EmptyState title={t("system:logEmpty")} />;
    const clear = (
      <Button variant="default" onClick={onClear}>
        {t("documents.filter.clear")}
      </Button>
    );
    return <EmptyState title={t("system:logNoMatch")} action={clear} />;
  }
  return (
    <Stack gap="sm" align="flex-start">
      <Table fz="sm" aria-label={t("system:logTitle")}>
        <Table.Thead>
          <Table.Tr>
            {(["what", "who", "when"] as const).map((column) => (
              <Table.Th
                key={column}
                scope="col"
                pl={column === "what" ? 0 : "xs"}
                ta={column === "when" ? "end" : "start"}
              >
                {t(`system:logColumn.${column}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {events.map((event) => (
            <Table.Tr key={event.id} style={{ verticalAlign: "top" }}>
              <Table.Td pl={0} style={{ overflowWrap: "anywhere" }}>
                {t(`system:audit.${event.action}`, { defaultValue: event.action })}
                <Target event={event} name={names.get(event.target) ?? nameOf(event)} />
                <ChangesList details={event.details} targetName={nameOf(event)} />
              </Table.Td>
              <Table.Td style={{ overflowWrap: "break-word" }}>
                {names.get(event.actor) ??
                  event.actor_name ??
                  t(`system:actor.${event.actor}`, { defaultValue: event.actor })}
              </Table.Td>
              <Table.Td ta="end" miw={{ sm: 160 }}>
                <span style={{ whiteSpace: "nowrap" }}>{formatDate(event.at)}</span>{" "}
                <span style={{ whiteSpace: "nowrap" }}>{formatTime(event.at)}</span>
              </Table.Td>
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

/** The name of what was acted on today, or the one that the event keeps. */
function nameOf({ target_name: today, details: { name, email } }: AuditEvent): string | null {
  return [today, name, email].find((value): value is string => typeof value === "string" && value !== "") ?? null;
}

/** The object of an event: a link to a document, else a name. Nothing for a session. */
function Target({ event, name }: { event: AuditEvent; name: string | null }) {
  const { t } = useTranslation();
  const [kind, id = ""] = event.target.split(/:(.*)/s);
  if (!kind || kind === "session" || event.target === event.actor) return null;
  if (kind === "document" && event.target_name) {
    return (
      <>
        {" "}
        <TextLink to="/documents/$documentId" params={{ documentId: id }} size="sm" underline="always">
          {event.target_name}
        </TextLink>
      </>
    );
  }
  // a document that is gone has nothing to open
  if (kind === "document" && !name) return null;
  const words = name ?? (kind === "generation" ? t("system:generation", { number: id }) : id);
  return (
    <Text span size="sm" fw={500}>
      {" "}
      {words}
    </Text>
  );
}
