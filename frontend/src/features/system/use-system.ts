import { useQueryClient } from "@tanstack/react-query";
import { $api } from "@/lib/api/client";
import { CURSOR_LIST } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";
import { notifyError } from "@/shared/notify";

export type SystemFacts = components["schemas"]["SystemResponse"];
export type Generation = components["schemas"]["GenerationFacts"];

const REFRESH_MS = 10_000;

/** The facts of the installation; `isLive`: looked at again while the page is open. */
export function useSystem({ isLive = true }: { isLive?: boolean } = {}) {
  return $api.useQuery("get", "/api/v1/system", {}, { refetchInterval: isLive && REFRESH_MS });
}

/** Whether one could search by these embeddings instead. */
export const isAlternative = ({ is_set: isSet, state }: Generation) => isSet && state !== "active";

/** How many passages of the library have such an embedding: those in the trash are counted with it, and are not meant. */
export const embeddedOf = ({ embedded_chunks: embedded }: Generation, chunks: number) =>
  Math.min(embedded ?? 0, chunks);

/** Search by the embeddings of another model from now on. */
export function useModelSwitch(onDone: () => void) {
  const client = useQueryClient();
  return $api.useMutation("post", "/api/v1/system/embeddings/{generation_id}/use", {
    onSuccess: () => {
      // the facts, the log, and what searches found by the model before
      void client.invalidateQueries();
      // said from here: the button that asked for it is gone once the facts are back
      onDone();
    },
    onError: notifyError,
  });
}

/** What was done, the newest first; `target` narrows it to one thing, such as `document:<id>`. */
export function useAudit({ target, limit = 50 }: { target?: string; limit?: number } = {}) {
  return $api.useInfiniteQuery(
    "get",
    "/api/v1/system/audit",
    { params: { query: { limit, ...(target ? { target } : {}) } } },
    CURSOR_LIST,
  );
}
