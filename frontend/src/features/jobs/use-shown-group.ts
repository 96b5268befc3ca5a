import { useEffect } from "react";
import { type JobGroup, useJobs } from "./use-jobs";

/**
 * Which jobs are shown: those that the address names, else those that need attention if there are any, else those in
 * progress. What was found out is told to `settle`, so that it stays when the last one is mended; undefined until then.
 */
export function useShownGroup(named: JobGroup | undefined, settle: (group: JobGroup) => void): JobGroup | undefined {
  const { data, isFetching, isError } = useJobs("needs_attention", { isWanted: !named });
  const found = data && !isFetching && (data.pages[0]?.items.length ? "needs_attention" : "in_progress");
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, whoever listens
  useEffect(() => {
    if (!named && found) settle(found);
  }, [named, found]);
  return named ?? (isError ? "needs_attention" : found || undefined);
}
