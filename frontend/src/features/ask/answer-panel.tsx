import { Alert, Button, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { CoverageNote } from "@/features/search/coverage-note";
import { notifyDone } from "@/shared/notify";
import type { AnswerResponse, AnswerSoFar } from "./answer-stream";
import { AnswerText } from "./answer-text";
import { CitationList, NearestList } from "./citation-list";
import { Feedback } from "./feedback";
import { type Place, placeOf } from "./place";
import { VisionNote } from "./vision-note";
import { withCitations } from "./with-citations";

interface AnswerPanelProps {
  answer: AnswerSoFar;
  isAsking: boolean;
  open: Place | null;
  onOpen: (place: Place) => void;
}

/** The answer as far as it has come, or that the documents do not give one. */
export function AnswerPanel({ answer, isAsking, open, onOpen }: AnswerPanelProps) {
  const { t } = useTranslation();
  const { sentences, citations, response, sources } = answer;
  const select = (number: number) => {
    const citation = citations.find((one) => one.number === number);
    if (citation) onOpen(placeOf(citation));
  };
  return (
    <Stack gap="sm">
      {isAsking && !response ? (
        <Group gap="xs" role="status">
          <Loader size="xs" aria-hidden />
          <Text size="sm">{sources ? t("ask:reading", { count: sources.length }) : t("ask:looking")}</Text>
        </Group>
      ) : null}
      {sentences.length > 0 ? (
        <Paper withBorder p="md" radius="md" aria-live="polite">
          <AnswerText sentences={sentences} selected={open?.number} onSelect={select} />
          {response ? <Foot response={response} /> : null}
        </Paper>
      ) : null}
      {response && !response.data.answer_found ? <NotThere response={response} /> : null}
      {response ? <VisionNote response={response} /> : null}
      {response?.data.id ? <Feedback key={response.data.id} answerId={response.data.id} /> : null}
      {response ? <CoverageNote coverage={response.metadata.coverage} /> : null}
      {citations.length > 0 ? (
        <>
          <Title order={2} size="h5">
            {t("ask:citations")}
          </Title>
          <CitationList citations={citations} selected={open?.number} onSelect={select} />
        </>
      ) : null}
      {response && response.data.nearest.length > 0 ? (
        <>
          <Title order={2} size="h5">
            {t("ask:nearest")}
          </Title>
          <NearestList
            sources={response.data.nearest}
            selected={open?.chunkId}
            onSelect={(source) => onOpen(placeOf(source))}
          />
        </>
      ) : null}
    </Stack>
  );
}

function NotThere({ response }: { response: AnswerResponse }) {
  const { t } = useTranslation();
  const { reason } = response.metadata;
  return (
    <Alert color="yellow" variant="outline" title={t("ask:notThere")}>
      {reason ? t(`ask:reason.${reason}`) : null} {t("ask:notThereHint")}
    </Alert>
  );
}

function Foot({ response }: { response: AnswerResponse }) {
  const { t } = useTranslation();
  const clipboard = useClipboard();
  const { mode, model, vision } = response.metadata;
  const way = vision?.status === "answered" ? "seen" : mode;
  const copy = () => {
    clipboard.copy(withCitations(response.data));
    notifyDone(t("actions.copied"));
  };
  return (
    <Group justify="space-between" mt="md" gap="sm">
      <Text size="xs" c="dimmed" flex="1 1 12rem">
        {t(`ask:mode.${way}`, { model: model ?? "" })}
      </Text>
      <Button size="xs" variant="default" leftSection={<IconCopy size={14} aria-hidden />} onClick={copy}>
        {t("ask:copy")}
      </Button>
    </Group>
  );
}
