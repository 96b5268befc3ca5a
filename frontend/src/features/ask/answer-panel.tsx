import { Alert, Button, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCopy, IconNote } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { useNoteMutations } from "@/features/document/notes/use-notes";
import { CoverageNote, FailureCounts } from "@/features/search/coverage-note";
import { quotedInOneLine } from "@/lib/readable-text";
import { notifyDone, notifyError } from "@/shared/notify";
import type { AnswerResponse, AnswerSoFar } from "./answer-stream";
import { AnswerText } from "./answer-text";
import { CitationList, NearestList } from "./citation-list";
import { Feedback } from "./feedback";
import { HowFound } from "./how-found";
import { type Place, placeOf } from "./place";

type NoAnswerOutcome = Exclude<AnswerResponse["data"]["outcome"], "answered">;

interface AnswerPanelProps {
  answer: AnswerSoFar;
  isAsking: boolean;
  open: Place | null;
  onOpen: (place: Place) => void;
  /** The question has filters, which may leave out what answers it. */
  hasFilters?: boolean;
  /** Of an earlier turn: the answer alone, without its sources. */
  isEarlier?: boolean;
}

/** The answer as far as it has come, or the closest passages. */
export function AnswerPanel(props: AnswerPanelProps) {
  const { answer, isAsking, open, onOpen, hasFilters = false, isEarlier = false } = props;
  const { t } = useTranslation();
  const { sentences, citations, response } = answer;
  const select = (number: number) => {
    const citation = citations.find((one) => one.number === number);
    if (citation) onOpen(placeOf(citation));
  };
  return (
    <Stack gap="sm">
      {/* It is here before its text comes: a screen reader announces only what is added to it. */}
      <Stack gap="sm" role="status" aria-atomic={false}>
        {isAsking && !response ? (
          <Group gap="xs">
            <Loader size="xs" aria-hidden />
            <Text size="sm">{progressText(t, answer)}</Text>
          </Group>
        ) : null}
        {sentences.length > 0 ? (
          <Paper withBorder p="md" radius="md">
            <AnswerText sentences={sentences} citations={citations} selected={open?.number} onSelect={select} />
            {response ? <Foot response={response} /> : null}
          </Paper>
        ) : null}
        {response && !response.data.answer_found ? <NoAnswer response={response} hasFilters={hasFilters} /> : null}
      </Stack>
      {response ? <VisionNote response={response} /> : null}
      {response ? <HowFound response={response} onOpen={onOpen} /> : null}
      {isEarlier ? null : <Sources answer={answer} open={open} onOpen={onOpen} onSelect={select} />}
    </Stack>
  );
}

interface SourcesProps extends Pick<AnswerPanelProps, "answer" | "open" | "onOpen"> {
  onSelect: (number: number) => void;
}

function Sources({ answer: { response, citations }, open, onOpen, onSelect }: SourcesProps) {
  const { t } = useTranslation();
  return (
    <>
      {response ? (
        <>
          <Group justify="space-between" gap="md">
            {response.data.id ? <Feedback key={response.data.id} answerId={response.data.id} /> : null}
            <FailureCounts coverage={response.metadata.coverage} />
          </Group>
          <CoverageNote coverage={response.metadata.coverage} />
        </>
      ) : null}
      {citations.length > 0 ? (
        <>
          <Title order={2} size="h5">
            {t("ask:citations")}
          </Title>
          <CitationList citations={citations} selected={open?.number} onSelect={onSelect} />
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
    </>
  );
}

function progressText(t: TFunction, { sources, steps }: AnswerSoFar): string {
  const step = steps.at(-1);
  if (step) return t("ask:steps.working", { step: t(`ask:steps.kind.${step.kind}`) });
  return sources ? t("ask:reading", { count: sources.length }) : t("ask:looking");
}

/** Why there is no answer. Says no more than what is known: only "nothing found" denies. */
function NoAnswer({ response, hasFilters }: { response: AnswerResponse; hasFilters: boolean }) {
  const { t } = useTranslation();
  const { reason } = response.metadata;
  const { outcome } = response.data;
  const isKnown = reason === "nothing_found" || reason === "contradicted" || reason === "underspecified";
  const isUnrelated = outcome === "nothing_found" && !isKnown;
  return (
    <Alert color="gray" variant="default" role="note" title={t(`ask:outcome.${outcome as NoAnswerOutcome}`)}>
      {isUnrelated ? t("ask:nothingHint") : reason ? t(`ask:reason.${reason}`) : null}{" "}
      {outcome === "closest_passages" && reason !== "not_calculated" ? t("ask:closestHint") : null}
      {hasFilters && (isUnrelated || reason === "nothing_found") ? t("ask:filtersHint") : null}
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
    <Group justify="space-between" mt="md" gap="sm" aria-live="off">
      <Text size="xs" c="dimmed" flex="1 1 12rem">
        {t(`ask:mode.${way}`, { model: model ?? "" })}
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="default" leftSection={<IconCopy size={14} aria-hidden />} onClick={copy}>
          {t("ask:copy")}
        </Button>
        <SaveAsNote answer={response.data} />
      </Group>
    </Group>
  );
}

/** Keep an answer with its sources as a private note, at the first passage that it cites. */
function SaveAsNote({ answer }: { answer: AnswerResponse["data"] }) {
  const { t } = useTranslation();
  const { create } = useNoteMutations();
  const citation = answer.citations.find(({ basis }) => basis === "text");
  if (!citation) return null;
  const { document_id, char_start, char_end } = citation;
  const save = () =>
    create.mutate(
      {
        params: { path: { document_id } },
        body: { char_start, char_end, text: withCitations(answer), is_shared: false },
      },
      {
        onSuccess: () => notifyDone(t("ask:noteSaved", { title: citation.title ?? citation.document })),
        onError: notifyError,
      },
    );
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconNote size={14} aria-hidden />}
      loading={create.isPending}
      disabled={create.isSuccess}
      onClick={save}
    >
      {t(create.isSuccess ? "ask:savedAsNote" : "ask:saveAsNote")}
    </Button>
  );
}

type Copied = Pick<AnswerResponse["data"], "question" | "sentences" | "citations">;

/** Format an answer for pasting: sentences with numbers, then the source of each number. */
export function withCitations({ question, sentences, citations }: Copied): string {
  const answer = sentences
    .map(({ text, citations: numbers }) => `${text}${numbers.map((number) => ` [${number}]`).join("")}`)
    .join(" ");
  const sources = citations.map(
    ({ number, title, document, page_number, snippet, basis }) =>
      `[${number}] ${title ?? document} (${document}), p. ${page_number}${basis === "image" ? "" : `: “${quotedInOneLine(snippet)}”`}`,
  );
  return [question, answer, sources.join("\n")].join("\n\n");
}

/** A note that page images were read because the text gave no answer, with the pages and the result. */
export function VisionNote({ response }: { response: AnswerResponse }) {
  const { t } = useTranslation();
  const { vision, model } = response.metadata;
  if (!vision) return null;
  const pages = vision.pages.map((page) => t("ask:vision.page", { document: page.document, page: page.page_number }));
  const isRead = vision.status === "answered" || vision.status === "abstained";
  return (
    <Alert color={isRead ? "blue" : "yellow"} variant="outline" role="note">
      {t(`ask:vision.${vision.status}`, { count: pages.length, model: model ?? "" })}
      {pages.length > 0 ? (
        <Text size="xs" c="dimmed" mt={4}>
          {pages.join(" · ")}
        </Text>
      ) : null}
      {vision.skipped_pages.length > 0 ? (
        <Text size="xs" c="dimmed" mt={4}>
          {t("ask:vision.leftOut", { count: vision.skipped_pages.length })}
        </Text>
      ) : null}
    </Alert>
  );
}
