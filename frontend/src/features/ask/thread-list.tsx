import { ActionIcon, Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconPencil, IconX } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "@/lib/format";
import { askBefore } from "@/shared/dialog";
import { notifyError, notifyOutcome } from "@/shared/notify";
import { ErrorState, LoadingState, MoreButton, PlainList } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import { scopeToUrl, type ThreadEntry, useThreadMutations, useThreads } from "./use-threads";

/** The person's threads. Nobody else can read them. */
export function ThreadList() {
  const { t } = useTranslation();
  const list = useThreads();
  const { data, error, refetch } = list;
  const { forgetAll } = useThreadMutations();
  const clear = () =>
    askBefore({
      title: t("ask:history.forgetAllTitle"),
      text: t("ask:history.forgetAllText"),
      action: t("ask:history.forgetAll"),
      onConfirm: () =>
        void notifyOutcome(
          forgetAll.mutateAsync({ params: { query: { confirm: "true" } } }),
          t("ask:history.forgottenAll"),
        ),
    });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState rows={3} />;
  const threads = data.pages.flatMap((page) => page.items);
  if (threads.length === 0) return null;
  return (
    <Stack gap="xs" maw={760} w="100%" mx="auto">
      <Group justify="space-between">
        <Title order={2} size="h5">
          {t("ask:history.title")}
        </Title>
        <Button size="compact-sm" variant="default" loading={forgetAll.isPending} onClick={clear}>
          {t("ask:history.forgetAll")}
        </Button>
      </Group>
      <PlainList gap="xs">
        {threads.map((thread) => (
          <Entry key={thread.id} thread={thread} />
        ))}
      </PlainList>
      <MoreButton query={list} size="xs">
        {t("ask:history.more")}
      </MoreButton>
    </Stack>
  );
}

function Entry({ thread }: { thread: ThreadEntry }) {
  const { t } = useTranslation();
  const [isRenaming, setIsRenaming] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const stopRenaming = () => {
    setIsRenaming(false);
    pencil.current?.focus();
  };
  const { forget } = useThreadMutations();
  const { id, title, scope } = thread;
  const remove = () =>
    askBefore({
      title: t("ask:history.forgetTitle"),
      text: t("ask:history.forgetText", { question: title }),
      action: t("ask:history.forgetAction"),
      onConfirm: () =>
        void notifyOutcome(forget.mutateAsync({ params: { path: { thread_id: id } } }), t("ask:history.forgotten")),
    });
  const facts = [
    formatDateTime(thread.updated_at),
    t("ask:history.questions", { count: thread.answer_count }),
    ...[...scope.collections, ...scope.tags],
    scope.documents.length > 0 ? t("tags.documents", { count: scope.documents.length }) : "",
  ];
  return (
    <Paper component="li" withBorder p="sm" radius="md">
      <Group wrap="nowrap" align="flex-start" justify="space-between" gap="sm">
        <Stack gap={2} miw={0} flex={1}>
          {isRenaming ? (
            <TitleField thread={thread} onDone={stopRenaming} />
          ) : (
            <TextLink to="/ask" search={{ thread: id, ...scopeToUrl(scope) }} fw={600} lineClamp={2}>
              {title}
            </TextLink>
          )}
          <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {facts.filter(Boolean).join(" · ")}
          </Text>
        </Stack>
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            ref={pencil}
            color="gray"
            aria-label={t("ask:history.rename", { question: title })}
            aria-expanded={isRenaming}
            onClick={() => setIsRenaming(!isRenaming)}
          >
            <IconPencil size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon color="gray" aria-label={t("ask:history.forget", { question: title })} onClick={remove}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
    </Paper>
  );
}

function TitleField({ thread, onDone }: { thread: ThreadEntry; onDone: () => void }) {
  const { t } = useTranslation();
  const { rename } = useThreadMutations();
  return (
    <form
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const title = String(new FormData(event.currentTarget).get("title") ?? "").trim();
        if (!title) return;
        const params = { path: { thread_id: thread.id } };
        rename.mutate({ params, body: { title } }, { onSuccess: onDone, onError: notifyError });
      }}
    >
      <Group gap={6} wrap="nowrap">
        <TextInput
          flex={1}
          name="title"
          maxLength={300}
          aria-label={t("ask:history.name")}
          defaultValue={thread.title}
          autoFocus
        />
        <Button type="submit" variant="default" loading={rename.isPending}>
          {t("actions.save")}
        </Button>
      </Group>
    </form>
  );
}
