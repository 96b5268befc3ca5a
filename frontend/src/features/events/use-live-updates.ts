import { type QueryClient, type QueryFilters, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useMe } from "@/features/session/use-session";
import { invalidate, isAboutDocument } from "@/lib/api/keys";
import { isPassing } from "@/lib/query-client";
import { throttle } from "@/lib/throttle";
import { noteConnection } from "./connection";
import { openEventStream } from "./event-stream";
import type { DocumentEvent } from "./news";
import { patchCache } from "./patch-cache";

const EVERY_MS = 2_000;
/** What a page has just loaded is not loaded again before it is on the screen. Parts of a document follow its record. */
const BEGINNING_MS = 3_000;

/** Others who want to hear: `onNews` of each document, `onRefetch` when news may have been missed. */
export interface Listener {
  onNews?: (news: DocumentEvent) => void;
  onRefetch?: () => void;
}

/** Update the cache from the event stream while mounted and signed in. Only the shell uses it. */
export function useLiveUpdates(listener: Listener): void {
  const client = useQueryClient();
  const isSignedOut = useMe().me === null;
  useEffect(() => (isSignedOut ? undefined : followEvents(client, listener)), [client, listener, isSignedOut]);
}

function followEvents(client: QueryClient, listener: Listener): () => void {
  const refetchLists = throttle(() => void invalidate(client, "jobs"), { everyMs: EVERY_MS });
  const refetchCounts = throttle(() => void invalidate(client, "counts"), { everyMs: EVERY_MS * 2 });
  const refetchDocument = (id?: string) =>
    void client.invalidateQueries({ predicate: (query) => isAboutDocument(query, id) });

  function onDocument(news: DocumentEvent) {
    const { isStale, isMoved } = patchCache(client, news);
    if (isStale) {
      refetchLists();
      refetchDocument(news.document_id);
    }
    if (isMoved) refetchCounts();
    listener.onNews?.(news);
  }

  const refetch = () => {
    refetchLists();
    refetchCounts();
    refetchDocument();
  };
  const refetchRecords = () => void invalidate(client, "documents", "jobs");
  let beginning: ReturnType<typeof setTimeout> | undefined;

  const close = openEventStream({
    onDocument,
    onGone: (documentId) => {
      refetchLists();
      refetchCounts();
      refetchDocument(documentId);
    },
    onRefetch: () => {
      if (beginning) refetch();
      beginning ??= setTimeout(refetchRecords, BEGINNING_MS);
      listener.onRefetch?.();
    },
    onConnected: (isConnected) => {
      noteConnection(isConnected);
      if (isConnected) refetchInterrupted(client);
    },
    // The request for the current user shows if the session has ended.
    onRefused: () => void invalidate(client, "session"),
  });
  return () => {
    close();
    clearTimeout(beginning);
    refetchLists.cancel();
    refetchCounts.cancel();
    noteConnection(true);
  };
}

/** Request at once what failed or waits for its next try. What is never retried waits for a person. */
function refetchInterrupted(client: QueryClient): void {
  const interrupted: QueryFilters = {
    type: "active",
    predicate: ({ options, state }) => options.retry !== false && isPassing(state.error ?? state.fetchFailureReason),
  };
  void client.cancelQueries(interrupted, { revert: false, silent: true }); // ends the pause before the next try
  void client.refetchQueries(interrupted);
}
