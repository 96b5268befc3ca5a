import { useEffect } from "react";
import { $api } from "@/lib/api/client";
import { CURSOR_LIST, useInvalidate } from "@/lib/api/keys";
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
      ...CURSOR_LIST,
      refetchInterval: group === "in_progress" ? 5_000 : false,
    },
  );
}

/** Count the jobs of a group. */
export const useJobCount = (group: JobGroup) =>
  $api.useQuery("get", "/api/v1/jobs", { params: { query: { state: group, limit: 1 } } }).data?.total;

export function useJobMutations() {
  const onSuccess = useInvalidate("jobs");
  return {
    retry: $api.useMutation("post", "/api/v1/jobs/{job_id}/retry", { onSuccess }),
    cancel: $api.useMutation("post", "/api/v1/jobs/{job_id}/cancel", { onSuccess }),
  };
}

/**
 * Return the group of jobs to list: the one in the address, else `needs_attention` if it has jobs, else `in_progress`.
 * `settle` gets the result, which then stays when its last job is done. Undefined until it is known.
 */
export function useShownGroup(named: JobGroup | undefined, settle: (group: JobGroup) => void): JobGroup | undefined {
  const { data, isFetching, isError } = useJobs("needs_attention", { isWanted: !named });
  const found = data && !isFetching && (data.pages[0]?.items.length ? "needs_attention" : "in_progress");
  // biome-ignore lint/correctness/useExhaustiveDependencies: call once for each result
  useEffect(() => {
    if (!named && found) settle(found);
  }, [named, found]);
  return named ?? (isError ? "needs_attention" : found || undefined);
}
