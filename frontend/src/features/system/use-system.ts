import { $api } from "@/lib/api/client";
import type { components } from "@/lib/api/schema";

export type SystemFacts = components["schemas"]["SystemResponse"];
export type AuditEvent = components["schemas"]["AuditEventResponse"];

const REFRESH_MS = 10_000;

/** The facts of the installation, looked at again while the page is open. */
export function useSystem() {
  return $api.useQuery("get", "/api/v1/system", {}, { refetchInterval: REFRESH_MS });
}

/** What was done, the newest first; `target` narrows it to one thing, such as `document:<id>`. */
export function useAudit({ target, limit = 50 }: { target?: string; limit?: number } = {}) {
  return $api.useInfiniteQuery(
    "get",
    "/api/v1/system/audit",
    { params: { query: { limit, ...(target ? { target } : {}) } } },
    {
      pageParamName: "cursor",
      initialPageParam: null,
      getNextPageParam: (last) => last.next_cursor ?? undefined,
    },
  );
}
