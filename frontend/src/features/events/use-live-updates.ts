import { type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { throttle } from "@/lib/throttle";
import { noteConnection } from "./connection";
import { openEventStream } from "./event-stream";
import type { DocumentEvent } from "./news";
import { DOCUMENT_LISTS, isAboutDocument, patchCache } from "./patch-cache";

const LISTS: QueryKey[] = [DOCUMENT_LISTS, ["get", "/api/v1/jobs"]];
const COUNTS: QueryKey[] = [
  ["get", "/api/v1/tags"],
  ["get", "/api/v1/collections"],
];
const EVERY_MS = 2_000;

/** Others who want to hear: `onNews` of each document, `onRefetch` when news may have been missed. */
export interface Listener {
  onNews?: (news: DocumentEvent) => void;
  onRefetch?: () => void;
}

/** Keep what is shown up to date for as long as the component is there. To be used once, by the shell. */
export function useLiveUpdates(listener: Listener): void {
  const client = useQueryClient();
  useEffect(() => followEvents(client, listener), [client, listener]);
}

function followEvents(client: QueryClient, listener: Listener): () => void {
  const invalidate = (keys: QueryKey[]) => {
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  };
  const askListsAgain = throttle(() => invalidate(LISTS), { everyMs: EVERY_MS });
  const askCountsAgain = throttle(() => invalidate(COUNTS), { everyMs: EVERY_MS * 2 });

  function onDocument(news: DocumentEvent) {
    const { isStale, isMoved } = patchCache(client, news);
    if (isStale) {
      askListsAgain();
      void client.invalidateQueries({ predicate: (query) => isAboutDocument(query, news.document_id) });
    }
    if (isMoved) askCountsAgain();
    listener.onNews?.(news);
  }

  const close = openEventStream({
    onDocument,
    onGone: (documentId) => {
      askListsAgain();
      askCountsAgain();
      void client.invalidateQueries({ predicate: (query) => isAboutDocument(query, documentId) });
    },
    onRefetch: () => {
      askListsAgain();
      askCountsAgain();
      void client.invalidateQueries({ predicate: (query) => hasDocument(query.queryKey) });
      listener.onRefetch?.();
    },
    onConnected: noteConnection,
    // Whether the session has ended shows when one asks who is signed in.
    onRefused: () => void client.invalidateQueries({ queryKey: ["get", "/api/v1/auth/me"] }),
  });
  return () => {
    close();
    askListsAgain.cancel();
    askCountsAgain.cancel();
    noteConnection(true);
  };
}

const hasDocument = (key: readonly unknown[]) =>
  typeof key[1] === "string" && key[1].startsWith("/api/v1/documents/{document_id}");
