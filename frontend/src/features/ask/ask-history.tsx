import { ActionIcon, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "@/lib/format";
import { notifyError } from "@/shared/notify";
import { ErrorState, LoadingState, MoreButton, PlainList } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import { type SavedAnswer, useHistory, useHistoryMutations } from "./use-history";

/** The person's earlier questions. Nobody else can read them. */
export function AskHistory() {
  const { t } = useTranslation();
  const list = useHistory();
  const { data, error, refetch } = list;
  const { forget, forgetAll } = useHistoryMutations();
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState rows={3} />;
  const saved = data.pages.flatMap((page) => page.items);
  if (saved.length === 0) return null;
  return (
    <Stack gap="xs" maw={760} w="100%" mx="auto">
      <Group justify="space-between">
        <Title order={2} size="h5">
          {t("ask:history.title")}
        </Title>
        <Button
          size="compact-sm"
          variant="default"
          loading={forgetAll.isPending}
          onClick={() => forgetAll.mutate({ params: { query: { confirm: "true" } } }, { onError: notifyError })}
        >
          {t("ask:history.forgetAll")}
        </Button>
      </Group>
      <PlainList gap="xs">
        {saved.map((one) => (
          <Entry
            key={one.id}
            saved={one}
            onForget={() => forget.mutate({ params: { path: { answer_id: one.id } } }, { onError: notifyError })}
          />
        ))}
      </PlainList>
      <MoreButton query={list} size="xs">
        {t("ask:history.more")}
      </MoreButton>
    </Stack>
  );
}

function Entry({ saved, onForget }: { saved: SavedAnswer; onForget: () => void }) {
  const { t } = useTranslation();
  const facts = [
    formatDateTime(saved.created_at),
    saved.outcome === "answered"
      ? t("ask:history.citations", { count: saved.citation_count })
      : t(`ask:outcome.${saved.outcome}`),
    saved.verdict ? t(`ask:feedback.${saved.verdict}`) : null,
  ];
  return (
    <Paper component="li" withBorder p="sm" radius="md">
      <Group wrap="nowrap" align="flex-start" justify="space-between" gap="sm">
        <Stack gap={2} miw={0}>
          <TextLink to="/ask" search={{ q: saved.question }} fw={600}>
            {saved.question}
          </TextLink>
          {saved.outcome === "answered" ? (
            <Text size="sm" lineClamp={2}>
              {saved.answer}
            </Text>
          ) : null}
          <Text size="xs" c="dimmed">
            {facts.filter(Boolean).join(" · ")}
          </Text>
        </Stack>
        <ActionIcon color="gray" aria-label={t("ask:history.forget", { question: saved.question })} onClick={onForget}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </Paper>
  );
}
