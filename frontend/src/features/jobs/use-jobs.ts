import { useQueryClient } from "@tanstack/react-query";
import { $api } from "@/lib/api/client";
import type { components } from "@/lib/api/schema";

export type Job = components["schemas"]["DocumentJobResponse"];
export const JOB_GROUPS = ["needs_attention", "in_progress", "done"] as const;
export type JobGroup = (typeof JOB_GROUPS)[number];

export function useJobs(group: JobGroup, { isWanted = true } = {}) {
  return $api.useInfiniteQuery(
    "get",
    "/api/v1/jobs",
    { params: { query: { state: group, limit: 50 } } },
    {
      enabled: isWanted,
      pageParamName: "cursor",
      initialPageParam: null,
      getNextPageParam: (last) => last.next_cursor ?? undefined,
      refetchInterval: group === "in_progress" ? 5_000 : false,
    },
  );
}

export function useJobMutations() {
  const client = useQueryClient();
  const onSuccess = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ["get", "/api/v1/jobs"] }),
      client.invalidateQueries({ queryKey: ["get", "/api/v1/documents"] }),
    ]);
  return {
    retry: $api.useMutation("post", "/api/v1/jobs/{job_id}/retry", { onSuccess }),
    cancel: $api.useMutation("post", "/api/v1/jobs/{job_id}/cancel", { onSuccess }),
  };
}
