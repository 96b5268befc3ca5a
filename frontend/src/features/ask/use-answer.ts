import { useQuery } from "@tanstack/react-query";
import { toRequest } from "@/features/search/search-url";
import { invalidate } from "@/lib/api/keys";
import { type AnswerRequest, type AnswerSoFar, readAnswer } from "./answer-stream";
import type { AskUrl } from "./ask-url";

/** The question of an address, with its filters and its thread. */
function toQuestion(url: AskUrl, question: string): AnswerRequest {
  const { top_k, tags, documents, collections, language, created_after, created_before } = toRequest(url, "");
  return {
    question,
    top_k: url.k ? top_k : 8,
    tags,
    documents,
    collections,
    language: language ?? null,
    created_after: created_after ?? null,
    created_before: created_before ?? null,
    ...(url.thread ? { thread_id: url.thread } : {}),
    rewrite: !url.asItIs,
    stream: true,
    steps: "auto",
    save: true,
  };
}

/**
 * Return the answer to the question in the address, as far as it has arrived. It is requested once.
 *
 * It is forgotten when the address changes: the same words can be asked again.
 */
export function useAnswer(url: AskUrl) {
  const question = url.q?.trim() ?? "";
  const body = toQuestion(url, question);
  return useQuery<AnswerSoFar>({
    queryKey: ["answer", body],
    queryFn: ({ signal, client, queryKey }) =>
      readAnswer(body, { signal, onPart: (part) => client.setQueryData(queryKey, part) }).finally(
        () => void invalidate(client, "answers"),
      ),
    enabled: question.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}
