import { Button, Collapse, Group, Stack, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustments, IconMessageQuestion, IconPlus } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { AnswerPanel } from "@/features/ask/answer-panel";
import { type AnswerResponse, type AnswerSoFar, NOTHING_YET } from "@/features/ask/answer-stream";
import styles from "@/features/ask/ask.module.css";
import type { AskUrl } from "@/features/ask/ask-url";
import { type Place, placeOf } from "@/features/ask/place";
import { PlaceReader } from "@/features/ask/place-reader";
import { RewrittenQuestion } from "@/features/ask/rewritten-question";
import { ScopeChips } from "@/features/ask/scope-chips";
import { ThreadList } from "@/features/ask/thread-list";
import { useAnswer } from "@/features/ask/use-answer";
import { scopeToUrl, useAddTurn, useThread } from "@/features/ask/use-threads";
import type { Example } from "@/features/search/examples";
import { LibraryExamples } from "@/features/search/library-examples";
import { SearchFilters } from "@/features/search/search-filters";
import { countFilters } from "@/features/search/search-url";
import type { Changes } from "@/lib/search-params";
import { PageHeading } from "@/shared/page-head";
import { EmptyState, ErrorState, LoadingState } from "@/shared/states";

const route = getRouteApi("/ask");

export function AskPage() {
  const { t } = useTranslation();
  const url = route.useSearch();
  const navigate = route.useNavigate();
  const change = (values: Changes<AskUrl>, replace = false) =>
    void navigate({ search: (old) => ({ ...old, ...values }) as AskUrl, replace });
  const ask = (question: string, asItIs?: true) => change({ q: question, asItIs });
  useScopeOfThread(url, (scope) => change(scope, true));
  const isStart = !url.q && !url.thread;
  const composer = <Composer url={url} onChange={change} onAsk={ask} />;
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <PageHeading>{t("ask:title")}</PageHeading>
        {isStart ? null : (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => change({ q: undefined, thread: undefined, asItIs: undefined })}
          >
            {t("ask:newQuestion")}
          </Button>
        )}
      </Group>
      {isStart ? (
        <>
          {composer}
          <EmptyState
            title={t("ask:startTitle")}
            action={<LibraryExamples to="/ask" toWords={(example) => questionOf(example, t)} />}
          >
            {t("ask:startText")}
          </EmptyState>
          <ThreadList />
        </>
      ) : (
        <Conversation url={url} onChange={change} onAsk={ask} composer={composer} />
      )}
    </Stack>
  );
}

/** A heading that is a question is asked as it is. */
function questionOf({ title, heading }: Example, t: TFunction): string {
  return heading.endsWith("?") ? heading : t("ask:example", { title, heading });
}

/** Take the filters of a thread over, once, when it is opened without any. */
function useScopeOfThread(url: AskUrl, onScope: (scope: Changes<AskUrl>) => void) {
  const { data } = useThread(url.thread);
  const opened = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!url.thread || data?.id !== url.thread || opened.current === url.thread) return;
    opened.current = url.thread;
    const scope = scopeToUrl(data.scope);
    if (!url.q && countFilters(url) === 0 && countFilters(scope) > 0) onScope(scope);
  });
}

interface ComposerProps {
  url: AskUrl;
  onChange: (change: Changes<AskUrl>) => void;
  onAsk: (question: string) => void;
}

/** The field of the next question, with what it is limited to. */
function Composer({ url, onChange, onAsk }: ComposerProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const filterCount = countFilters(url);
  const [hasFilters, { toggle }] = useDisclosure(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!words.trim()) return;
    onAsk(words.trim());
    setWords("");
  };
  return (
    <search>
      <Stack gap="xs">
        <Group gap="xs" justify="space-between" align="flex-start">
          <ScopeChips url={url} onChange={onChange} />
          <Button
            size="compact-sm"
            variant="default"
            ms="auto"
            leftSection={<IconAdjustments size={14} aria-hidden />}
            onClick={toggle}
            aria-expanded={hasFilters}
          >
            {filterCount > 0 ? t("search.filtersCount", { count: filterCount }) : t("search.filters")}
          </Button>
        </Group>
        <form onSubmit={submit}>
          <Group align="flex-end" gap="sm" wrap="nowrap">
            <TextInput
              flex="1"
              size="md"
              aria-label={t("ask:question")}
              placeholder={t(url.thread ? "ask:followUp" : "ask:placeholder")}
              leftSection={<IconMessageQuestion size={18} aria-hidden />}
              value={words}
              onChange={(event) => setWords(event.currentTarget.value)}
              autoFocus
            />
            <Button size="md" type="submit">
              {t("ask:ask")}
            </Button>
          </Group>
        </form>
        <Collapse expanded={hasFilters}>
          <SearchFilters url={url} onChange={onChange} isForAnswers />
        </Collapse>
      </Stack>
    </search>
  );
}

interface ShownTurn {
  key: string;
  question: string;
  rewritten: string | null;
  answer: AnswerSoFar;
  isAsking: boolean;
}

interface ConversationProps {
  url: AskUrl;
  onChange: (change: Changes<AskUrl>, replace?: boolean) => void;
  onAsk: (question: string, asItIs: true) => void;
  composer: ReactNode;
}

/** The turns of a thread, the composer below them, and the page of a citation beside them. */
function Conversation({ url, onChange, onAsk, composer }: ConversationProps) {
  const thread = useThread(url.thread);
  const { data, error, isFetching, refetch } = useAnswer(url, { isForgotten: true });
  useFinish(url, data?.response, onChange);
  const [chosen, setChosen] = useState<{ turn: string; place: Place } | null>(null);
  const turns = [...savedTurns(thread.data?.answers), ...pendingTurn(url, data, isFetching)];
  const last = turns.at(-1);
  // the page of the earlier answer stays while the next one is made
  const shown = firstPlace(last) ?? (last?.isAsking ? firstPlace(turns.at(-2)) : null);
  const open = chosen && turns.some(({ key }) => key === chosen.turn) ? chosen : shown;
  const lastKey = last?.key;
  // a new answer opens its own source
  useEffect(() => {
    if (lastKey) setChosen(null);
  }, [lastKey]);
  const problem = error ?? (url.q ? null : thread.error);
  return (
    <div className={styles.columns} data-reads={open ? "" : undefined}>
      <Stack gap="md">
        {turns.length === 0 && !problem ? <LoadingState rows={3} /> : null}
        {turns.map((turn) => (
          <TurnView
            key={turn.key}
            turn={turn}
            isLast={turn === last}
            open={open?.turn === turn.key ? open.place : null}
            onOpen={(place) => setChosen({ turn: turn.key, place })}
            onAsk={(question) => onAsk(question, true)}
          />
        ))}
        {problem ? <ErrorState error={problem} onRetry={() => void (error ? refetch() : thread.refetch())} /> : null}
        <div className={styles.composer}>{composer}</div>
      </Stack>
      {open ? (
        <PlaceReader
          key={open.place.documentId}
          place={open.place}
          onOpenPage={(pageNumber) =>
            setChosen({
              turn: open.turn,
              place: { documentId: open.place.documentId, chunkId: open.place.chunkId, pageNumber },
            })
          }
        />
      ) : null}
    </div>
  );
}

/** When an answer is complete, it is a turn of its thread, and the address names the thread alone. */
function useFinish(url: AskUrl, response: AnswerResponse | null | undefined, onChange: ConversationProps["onChange"]) {
  const addTurn = useAddTurn();
  const threadId = response?.data.thread_id;
  useEffect(() => {
    if (!url.q || !response || !threadId || response.data.question !== url.q.trim()) return;
    addTurn(threadId, response);
    onChange({ q: undefined, asItIs: undefined, thread: threadId }, true);
  }, [url.q, response, threadId, addTurn, onChange]);
}

function savedTurns(answers: readonly { id: string; response: AnswerResponse }[] | undefined): ShownTurn[] {
  return (answers ?? []).map(({ id, response }) => ({
    key: id,
    question: response.data.question,
    rewritten: response.data.rewritten_question ?? null,
    answer: { ...NOTHING_YET, sentences: response.data.sentences, citations: response.data.citations, response },
    isAsking: false,
  }));
}

function pendingTurn(url: AskUrl, data: AnswerSoFar | undefined, isAsking: boolean): ShownTurn[] {
  if (!url.q) return [];
  const answer = data ?? NOTHING_YET;
  return [{ key: "now", question: url.q, rewritten: answer.rewritten ?? null, answer, isAsking }];
}

function firstPlace(turn: ShownTurn | undefined) {
  if (!turn) return null;
  const { outcome, nearest } = turn.answer.response?.data ?? {};
  const first = turn.answer.citations[0] ?? (outcome === "closest_passages" ? nearest?.[0] : undefined);
  return first ? { turn: turn.key, place: placeOf(first) } : null;
}

interface TurnViewProps {
  turn: ShownTurn;
  isLast: boolean;
  open: Place | null;
  onOpen: (place: Place) => void;
  onAsk: (question: string) => void;
}

function TurnView({ turn, isLast, open, onOpen, onAsk }: TurnViewProps) {
  return (
    <Stack gap="xs" component="section" className={styles.turn ?? ""} aria-label={turn.question}>
      <Title order={2} size="h4" style={{ overflowWrap: "anywhere" }}>
        {turn.question}
      </Title>
      {turn.rewritten ? <RewrittenQuestion question={turn.rewritten} onAsk={onAsk} /> : null}
      <AnswerPanel answer={turn.answer} isAsking={turn.isAsking} open={open} onOpen={onOpen} isEarlier={!isLast} />
    </Stack>
  );
}
