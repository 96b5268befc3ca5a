import { useQueryClient } from "@tanstack/react-query";
import { GOLDEN_KEY } from "@/features/golden/use-marks";
import { $api } from "@/lib/api/client";
import type { components } from "@/lib/api/schema";

export type SavedAnswer = components["schemas"]["SavedAnswerEntry"];
export type Verdict = SavedAnswer["verdict"];

const PAGE = 20;
const HISTORY_KEY = ["get", "/api/v1/answers"] as const;

/** The person's own questions, the newest first. */
export function useHistory() {
  return $api.useInfiniteQuery(
    "get",
    "/api/v1/answers",
    { params: { query: { limit: PAGE } } },
    {
      pageParamName: "cursor",
      initialPageParam: null,
      getNextPageParam: (last) => last.next_cursor ?? undefined,
    },
  );
}

function useHistoryChanged() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: HISTORY_KEY });
}

export function useHistoryMutations() {
  const client = useQueryClient();
  const onSuccess = useHistoryChanged();
  return {
    forget: $api.useMutation("delete", "/api/v1/answers/{answer_id}", { onSuccess }),
    forgetAll: $api.useMutation("delete", "/api/v1/answers", { onSuccess }),
    judge: $api.useMutation("put", "/api/v1/answers/{answer_id}/feedback", {
      // a helpful answer becomes a golden query
      onSuccess: () => Promise.all([onSuccess(), client.invalidateQueries({ queryKey: GOLDEN_KEY })]),
    }),
  };
}
