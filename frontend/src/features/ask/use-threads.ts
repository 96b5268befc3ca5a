import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { SearchUrl } from "@/features/search/search-url";
import { $api } from "@/lib/api/client";
import { CURSOR_LIST, useInvalidate } from "@/lib/api/keys";
import { ApiProblem } from "@/lib/api/problem";
import type { components } from "@/lib/api/schema";
import { compact } from "@/lib/search-params";
import type { AnswerResponse } from "./answer-stream";

type Schemas = components["schemas"];
export type ThreadEntry = Schemas["ThreadEntry"];
type Turn = Schemas["SavedAnswerResponse"];
type Thread = Schemas["ThreadResponse"];
type ThreadScope = Schemas["ThreadScope"];

const PAGE = 20;

const threadQuery = (threadId: string) =>
  $api.queryOptions("get", "/api/v1/threads/{thread_id}", { params: { path: { thread_id: threadId } } });

/** List the person's own threads, the last used first. */
export const useThreads = () =>
  $api.useInfiniteQuery("get", "/api/v1/threads", { params: { query: { limit: PAGE } } }, CURSOR_LIST);

/** A thread with its questions and answers. */
export const useThread = (threadId: string | undefined) =>
  $api.useQuery(
    "get",
    "/api/v1/threads/{thread_id}",
    { params: { path: { thread_id: threadId ?? "" } } },
    { enabled: Boolean(threadId), retry: false },
  );

/** Return true if a thread was deleted or never existed. */
export function useIsThreadGone(threadId: string | undefined): boolean {
  const { error } = useThread(threadId);
  return error instanceof ApiProblem && error.status === 404;
}

export function useThreadMutations() {
  const onSuccess = useInvalidate("answers");
  return {
    rename: $api.useMutation("patch", "/api/v1/threads/{thread_id}", { onSuccess }),
    forget: $api.useMutation("delete", "/api/v1/threads/{thread_id}", { onSuccess }),
    forgetAll: $api.useMutation("delete", "/api/v1/answers", { onSuccess }),
  };
}

/** Return a function that adds an answer to its thread in the cache, before the thread is read again. */
export function useAddTurn() {
  const client = useQueryClient();
  return useCallback(
    (threadId: string, response: AnswerResponse) => {
      const now = new Date().toISOString();
      const turn: Turn = {
        id: response.data.id ?? threadId,
        is_outdated: false,
        verdict: null,
        created_at: now,
        response,
      };
      const { queryKey } = threadQuery(threadId);
      client.setQueryData<Thread>(queryKey, (old) => {
        const begun: Thread = old ?? {
          id: threadId,
          title: response.data.question,
          scope: NO_SCOPE,
          answer_count: 0,
          created_at: now,
          updated_at: now,
          answers: [],
        };
        if (begun.answers.some(({ id }) => id === turn.id)) return begun;
        return { ...begun, answer_count: begun.answer_count + 1, answers: [...begun.answers, turn] };
      });
    },
    [client],
  );
}

const NO_SCOPE: ThreadScope = { documents: [], collections: [], tags: [], tags_all: [], tags_none: [] };

/** The filters of a thread as those of an address. */
export function scopeToUrl(scope: ThreadScope): SearchUrl {
  const some = (values: string[] | undefined) => (values && values.length > 0 ? values : undefined);
  const day = (moment: string | null | undefined) => moment?.slice(0, 10);
  return compact({
    documents: some(scope.documents),
    collections: some(scope.collections),
    tags: some(scope.tags),
    all: some(scope.tags_all),
    not: some(scope.tags_none),
    language: scope.language ?? undefined,
    from: day(scope.created_after),
    to: day(scope.created_before),
  });
}
