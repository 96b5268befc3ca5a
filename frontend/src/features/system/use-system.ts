import { useQueryClient } from "@tanstack/react-query";
import { $api } from "@/lib/api/client";
import { CURSOR_LIST } from "@/lib/api/keys";
import type { components, operations } from "@/lib/api/schema";
import { notifyError } from "@/shared/notify";

export type SystemFacts = components["schemas"]["SystemResponse"];
export type Generation = components["schemas"]["GenerationFacts"];

const REFRESH_MS = 10_000;

/** The facts of the installation; `isLive`: looked at again while the page is open. */
export function useSystem({ isLive = true }: { isLive?: boolean } = {}) {
  return $api.useQuery("get", "/api/v1/system", {}, { refetchInterval: isLive && REFRESH_MS });
}

/** Return true if these embeddings can be activated. */
export const isAlternative = ({ is_set: isSet, state }: Generation) => isSet && state !== "active";

/** Count the embedded chunks of the library. The API's number includes the trash. */
export const embeddedOf = ({ embedded_chunks: embedded }: Generation, chunks: number) =>
  Math.min(embedded ?? 0, chunks);

/** Search by the embeddings of another model from now on. */
export function useModelSwitch(onDone: () => void) {
  const client = useQueryClient();
  return $api.useMutation("post", "/api/v1/system/embeddings/{generation_id}/use", {
    onSuccess: () => {
      // the facts, the log, and what searches found by the model before
      void client.invalidateQueries();
      // notify from here: the button is gone after the refetch
      onDone();
    },
    onError: notifyError,
  });
}

type AuditQuery = NonNullable<operations["list_audit_events"]["parameters"]["query"]>;

/** List audit events, the newest first. `target` limits them to one object, such as `document:<id>`. */
export const useAudit = (query: AuditQuery) =>
  $api.useInfiniteQuery("get", "/api/v1/system/audit", { params: { query: { limit: 50, ...query } } }, CURSOR_LIST);
