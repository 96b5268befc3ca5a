import { Stack, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { countFilters } from "@/features/search/search-url";
import type { Changes } from "@/lib/search-params";
import { ErrorState, LoadingState } from "@/shared/states";
import { AnswerPanel } from "./answer-panel";
import { type AnswerResponse, type AnswerSoFar, NOTHING_YET } from "./answer-stream";
import styles from "./ask.module.css";
import type { AskUrl } from "./ask-url";
import { type Place, placeOf } from "./place";
import { PlaceReader } from "./place-reader";
import { RewrittenQuestion } from "./rewritten-question";
import { useAnswer } from "./use-answer";
import { useAddTurn, useThread } from "./use-threads";

/** Key of the turn whose answer is not complete. */
const PENDING = "now";

type OnChange = (change: Changes<AskUrl>, replace?: boolean) => void;

interface ConversationProps {
  url: AskUrl;
  onChange: OnChange;
  onAsk: (question: string, asItIs: true) => void;
  composer: ReactNode;
}

/** The turns of a thread, the composer below them, and the page of a citation beside them. */
export function Conversation({ url, onChange, onAsk, composer }: ConversationProps) {
  const thread = useConversation(url, onChange);
  const { turns } = thread;
  const columns = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<ChosenPlace | null>(null);
  const last = turns.at(-1);
  // the page of the earlier answer stays while the next one is made
  const shown = firstPlace(last) ?? (last?.isAsking ? firstPlace(turns.at(-2)) : null);
  const open = chosen && turns.some(({ key }) => key === chosen.turn) ? chosen : shown;
  const lastKey = last?.key;
  // a new answer opens its own source
  useEffect(() => {
    if (lastKey) setChosen(null);
  }, [lastKey]);
  return (
    <div ref={columns} className={styles.columns} data-reads={open ? "" : undefined}>
      <Stack gap="md">
        <TurnList
          thread={thread}
          hasFilters={countFilters(url) > 0}
          open={open}
          onOpen={(next) => {
            setChosen(next);
            scrollToReader(columns.current);
          }}
          onAsk={onAsk}
        />
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

/** In a narrow window the page of a citation is below the answer. */
function scrollToReader(columns: HTMLElement | null): void {
  const reader = columns?.querySelector(":scope > [data-reader]");
  if (reader && reader.getBoundingClientRect().top > window.innerHeight / 2) reader.scrollIntoView();
}

interface ShownTurn {
  key: string;
  question: string;
  rewritten: string | null;
  answer: AnswerSoFar;
  isAsking: boolean;
}

/** The turns of the thread of an address, with the question that is asked now. */
export function useConversation(url: AskUrl, onChange: OnChange) {
  const thread = useThread(url.thread);
  const { data, error, isFetching, refetch } = useAnswer(url);
  useFinish(url, data?.response, onChange);
  return {
    turns: [...savedTurns(thread.data?.answers), ...pendingTurn(url, data, isFetching)],
    problem: error ?? (url.q ? null : thread.error),
    retry: () => void (error ? refetch() : thread.refetch()),
  };
}

/** When an answer is complete, it is a turn of its thread, and the address names the thread alone. */
function useFinish(url: AskUrl, response: AnswerResponse | null | undefined, onChange: OnChange) {
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
  return [{ key: PENDING, question: url.q, rewritten: answer.rewritten ?? null, answer, isAsking }];
}

function firstPlace(turn: ShownTurn | undefined): ChosenPlace | null {
  if (!turn) return null;
  const { outcome, nearest } = turn.answer.response?.data ?? {};
  const first = turn.answer.citations[0] ?? (outcome === "closest_passages" ? nearest?.[0] : undefined);
  return first ? { turn: turn.key, place: placeOf(first) } : null;
}

/** A place that is opened from a turn. */
export interface ChosenPlace {
  turn: string;
  place: Place;
}

interface TurnListProps {
  thread: ReturnType<typeof useConversation>;
  hasFilters?: boolean;
  open: ChosenPlace | null;
  onOpen: (chosen: ChosenPlace) => void;
  onAsk: (question: string, asItIs: true) => void;
}

/** A follow-up is asked at the end of the window, and its answer would appear below it. */
const scrollToTurn = (turn: HTMLElement | null) => turn?.scrollIntoView({ block: "start" });

/** The questions of a thread with their answers. */
export function TurnList({ thread, hasFilters = false, open, onOpen, onAsk }: TurnListProps) {
  const { turns, problem, retry } = thread;
  return (
    <>
      {turns.length === 0 && !problem ? <LoadingState rows={3} /> : null}
      {turns.map((turn) => (
        <Stack
          key={turn.key}
          ref={turn.key === PENDING && turns.length > 1 ? scrollToTurn : undefined}
          gap="xs"
          component="section"
          className={styles.turn ?? ""}
          aria-label={turn.question}
        >
          <Title order={2} size="h4" style={{ overflowWrap: "anywhere" }}>
            {turn.question}
          </Title>
          {turn.rewritten ? (
            <RewrittenQuestion question={turn.rewritten} onAsk={(question) => onAsk(question, true)} />
          ) : null}
          <AnswerPanel
            answer={turn.answer}
            isAsking={turn.isAsking}
            open={open?.turn === turn.key ? open.place : null}
            onOpen={(place) => onOpen({ turn: turn.key, place })}
            hasFilters={hasFilters}
            isEarlier={turn !== turns.at(-1)}
          />
        </Stack>
      ))}
      {problem ? <ErrorState error={problem} onRetry={retry} /> : null}
    </>
  );
}
