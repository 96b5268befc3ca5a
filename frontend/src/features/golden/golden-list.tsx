import { Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { IconStar } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Me } from "@/features/session/use-session";
import { formatDateTime } from "@/lib/format";
import { notifyDone } from "@/shared/notify";
import { EmptyState, ErrorState, LoadingState, MoreButton, PlainList } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import { useGoldenQueries } from "./use-evaluations";
import { type GoldenQuery, useGoldenMutations } from "./use-marks";

/** The marks of everybody whose documents are in sight, the newest first. */
export function GoldenList({ me }: { me: Me }) {
  const { t } = useTranslation();
  const list = useGoldenQueries();
  const { data, error, refetch } = list;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState />;
  const marks = data.pages.flatMap((page) => page.items);
  if (marks.length === 0)
    return (
      <EmptyState title={t("golden:emptyTitle")} icon={<IconStar size={32} aria-hidden />}>
        {t("golden:emptyText")}
      </EmptyState>
    );
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t("golden:count", { count: data.pages[0]?.total ?? 0 })}
      </Text>
      <PlainList gap="xs" aria-label={t("golden:listLabel")}>
        {marks.map((mark) => (
          <GoldenRow
            key={mark.id}
            mark={mark}
            isAdmin={me.role === "admin"}
            canRemove={me.can_write || mark.created_by === `user:${me.id}`}
          />
        ))}
      </PlainList>
      <MoreButton query={list}>{t("golden:more")}</MoreButton>
    </Stack>
  );
}

interface GoldenRowProps {
  mark: GoldenQuery;
  isAdmin: boolean;
  canRemove: boolean;
}

function GoldenRow({ mark, isAdmin, canRemove }: GoldenRowProps) {
  const { t } = useTranslation();
  const { add, remove } = useGoldenMutations();
  const { query, document_id: documentId, page_number: page, chunk } = mark;
  const undo = () =>
    add.mutate({
      body: { query, document: documentId, page_number: page, chunk_id: chunk?.chunk_id ?? null },
    });
  const onRemove = () =>
    remove.mutate(
      { params: { path: { golden_query_id: mark.id } } },
      { onSuccess: () => notifyDone(t("golden:removed"), { onUndo: undo }) },
    );
  return (
    <Paper component="li" withBorder p="sm" radius="md">
      <Group gap="sm" justify="space-between" align="flex-start">
        <Stack gap={2} flex="1 1 260px" miw={0}>
          <TextLink to="/search" search={{ q: query }} fw={600} lh="24px" style={{ overflowWrap: "anywhere" }}>
            {query}
          </TextLink>
          <Text size="sm" lh="24px" style={{ overflowWrap: "anywhere" }}>
            <TextLink
              to="/documents/$documentId"
              params={{ documentId }}
              search={{ page, ...(chunk ? { start: chunk.char_start, end: chunk.char_end } : {}) }}
            >
              {`${mark.document}, ${t("search.page", { page })}`}
            </TextLink>
          </Text>
          <Text size="xs" c="dimmed">
            {`${placeOf(mark, t)} · ${formatDateTime(mark.created_at)}`}
          </Text>
        </Stack>
        <Group gap="sm">
          {isAdmin ? <LastResult mark={mark} /> : null}
          {canRemove ? (
            <Button
              size="xs"
              variant="default"
              loading={remove.isPending}
              aria-label={t("golden:removeOne", { query })}
              onClick={onRemove}
            >
              {t("golden:remove")}
            </Button>
          ) : null}
        </Group>
      </Group>
    </Paper>
  );
}

/** Name the marked place. */
function placeOf({ is_chunk: isChunk, chunk }: GoldenQuery, t: TFunction): string {
  if (!isChunk) return t("golden:ofPage");
  return t(chunk ? "golden:ofPassage" : "golden:passageGone");
}

/** The rank of the page in the last run. */
function LastResult({ mark: { last_rank: rank, last_asked_at: asked } }: { mark: GoldenQuery }) {
  const { t } = useTranslation();
  if (!asked) return <Badge variant="default">{t("golden:neverAsked")}</Badge>;
  const color = rank === null ? "red.9" : rank === 1 ? "petrol" : "gray.7";
  return (
    <Badge color={color} title={t("golden:askedAt", { moment: formatDateTime(asked) })}>
      {rank === null ? t("golden:notFound") : t("golden:rank", { rank })}
    </Badge>
  );
}
