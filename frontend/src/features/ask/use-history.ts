import { $api } from "@/lib/api/client";
import { CURSOR_LIST, useInvalidate } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";

export type SavedAnswer = components["schemas"]["SavedAnswerEntry"];
export type Verdict = SavedAnswer["verdict"];

const PAGE = 20;

/** List the person's own questions, the newest first. */
export const useHistory = () =>
  $api.useInfiniteQuery("get", "/api/v1/answers", { params: { query: { limit: PAGE } } }, CURSOR_LIST);

export function useJudge() {
  // a helpful answer becomes a golden query
  const onSuccess = useInvalidate("answers", "golden");
  return $api.useMutation("put", "/api/v1/answers/{answer_id}/feedback", { onSuccess });
}
