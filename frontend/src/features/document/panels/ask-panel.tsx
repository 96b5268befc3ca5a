import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { AnswerPanel } from "@/features/ask/answer-panel";
import { NOTHING_YET } from "@/features/ask/answer-stream";
import type { Place } from "@/features/ask/place";
import { useAnswer } from "@/features/ask/use-answer";
import { ErrorState } from "@/shared/states";

interface AskPanelProps {
  documentId: string;
  question: string | undefined;
  onAsk: (question: string | undefined) => void;
  onOpen: (place: Place) => void;
}

/** A question to this document alone. Its citations open on the pages. */
export function AskPanel({ documentId, question, onAsk, onOpen }: AskPanelProps) {
  const { t } = useTranslation();
  const [place, setPlace] = useState<Place | null>(null);
  const { data, error, isFetching, refetch } = useAnswer({
    ...(question ? { q: question } : {}),
    documents: [documentId],
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    onAsk(
      String(new FormData(event.currentTarget).get("question") ?? "")
        .trim()
        .slice(0, 2_000) || undefined,
    );
  }

  return (
    <Stack gap="sm">
      <form onSubmit={submit}>
        <Group gap={6} wrap="nowrap">
          <TextInput
            flex={1}
            name="question"
            aria-label={t("ask:question")}
            placeholder={t("reader.askPlaceholder")}
            defaultValue={question ?? ""}
          />
          <Button type="submit">{t("ask:ask")}</Button>
        </Group>
      </form>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {question ? (
        <AnswerPanel
          answer={data ?? NOTHING_YET}
          isAsking={isFetching}
          open={place}
          onOpen={(next) => {
            setPlace(next);
            onOpen(next);
          }}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t("reader.askHint")}
        </Text>
      )}
    </Stack>
  );
}
