import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import styles from "@/features/ask/ask.module.css";
import type { AskUrl } from "@/features/ask/ask-url";
import { type ChosenPlace, TurnList, useConversation } from "@/features/ask/conversation";
import type { Place } from "@/features/ask/place";
import type { DocumentUrl } from "@/features/document/document-url";
import type { Changes } from "@/lib/search-params";

interface AskPanelProps {
  documentId: string;
  url: DocumentUrl;
  onChange: (values: Changes<DocumentUrl>) => void;
  onOpen: (place: Place) => void;
}

/** A thread of questions to this document alone. Citations open on its pages. */
export function AskPanel({ documentId, url, onChange, onOpen }: AskPanelProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<ChosenPlace | null>(null);
  const { ask, thread, asItIs } = url;
  const asked: AskUrl = {
    documents: [documentId],
    ...(ask ? { q: ask } : {}),
    ...(thread ? { thread } : {}),
    ...(asItIs ? { asItIs } : {}),
  };
  const conversation = useConversation(asked, (change) =>
    onChange({ ask: change.q, thread: change.thread, asItIs: change.asItIs }),
  );

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const question = String(new FormData(event.currentTarget).get("question") ?? "").trim();
    if (!question) return;
    event.currentTarget.reset();
    onChange({ ask: question.slice(0, 2_000), asItIs: undefined });
  }

  const isStart = !ask && !thread;
  const composer = (
    <form onSubmit={submit}>
      <Group gap={6} wrap="nowrap">
        <TextInput
          flex={1}
          name="question"
          aria-label={t("ask:question")}
          placeholder={t(isStart ? "reader.askPlaceholder" : "ask:followUp")}
        />
        <Button type="submit">{t("ask:ask")}</Button>
      </Group>
    </form>
  );
  if (isStart)
    return (
      <Stack gap="sm">
        {composer}
        <Text size="sm" c="dimmed">
          {t("reader.askHint")}
        </Text>
      </Stack>
    );
  return (
    <Stack gap="sm">
      <Button
        variant="subtle"
        size="compact-sm"
        style={{ alignSelf: "end" }}
        onClick={() => onChange({ ask: undefined, thread: undefined, asItIs: undefined })}
      >
        {t("ask:newQuestion")}
      </Button>
      <TurnList
        thread={conversation}
        open={chosen}
        onOpen={(next) => {
          setChosen(next);
          onOpen(next.place);
        }}
        onAsk={(question) => onChange({ ask: question, asItIs: true })}
      />
      <div className={styles.composer}>{composer}</div>
    </Stack>
  );
}
