import { useQuery } from "@tanstack/react-query";
import { type SearchUrl, toRequest } from "@/features/search/search-url";
import { keyOf } from "@/lib/api/keys";
import { type AnswerRequest, type AnswerSoFar, readAnswer } from "./answer-stream";

/** The question of an address, with its filters. */
function toQuestion(url: SearchUrl, question: string): AnswerRequest {
  const { top_k, tags, documents, collections, language, created_after, created_before } = toRequest(url, "");
  return {
    question,
    top_k: url.k ? top_k : 8,
    tags,
    documents,
    collections,
    ...(language ? { language } : {}),
    ...(created_after ? { created_after } : {}),
    ...(created_before ? { created_before } : {}),
    stream: true,
    save: true,
  };
}

/** Return the answer to the question in the address, as far as it has arrived. It is requested once. */
export function useAnswer(url: SearchUrl) {
  const question = url.q?.trim() ?? "";
  const body = toQuestion(url, question);
  return useQuery<AnswerSoFar>({
    queryKey: ["answer", body],
    queryFn: ({ signal, client, queryKey }) =>
      readAnswer(body, { signal, onPart: (part) => client.setQueryData(queryKey, part) }).finally(
        () => void client.invalidateQueries({ queryKey: keyOf("/api/v1/answers") }),
      ),
    enabled: question.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}
