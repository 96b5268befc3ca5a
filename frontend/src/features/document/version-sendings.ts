import { useSyncExternalStore } from "react";
import { ApiProblem } from "@/lib/api/problem";
import { sendBody } from "@/lib/api/send-body";
import { refreshSession } from "@/lib/api/session-refresh";
import type { Accepted } from "./use-versions";

/** A file on its way to become the next version of a document. */
export interface VersionSending {
  filename: string;
  share: number;
  abort: AbortController;
}

// Kept outside of components: another panel or page may be looked at while a large file is sent.
const underWay = new Map<string, VersionSending>();
const listeners = new Set<() => void>();

function put(documentId: string, sending: VersionSending | null) {
  if (sending) underWay.set(documentId, sending);
  else underWay.delete(documentId);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What is being sent for a document just now, with the share that has left. */
export function useVersionSending(documentId: string): VersionSending | null {
  return useSyncExternalStore(subscribe, () => underWay.get(documentId) ?? null);
}

/** Send a file as the next version of a document, as it is. Rejects as `sendBody` does. */
export async function sendVersion(documentId: string, file: File): Promise<Accepted> {
  const abort = new AbortController();
  const query = new URLSearchParams({ filename: file.name });
  const target = { method: "PUT", url: `/api/v1/documents/${documentId}/content?${query}` } as const;
  const tell = (share: number) => put(documentId, { filename: file.name, share, abort });
  const send = () => sendBody<Accepted>(target, file, { onProgress: tell, signal: abort.signal });
  tell(0);
  try {
    return await send().catch(async (error: unknown) => {
      const isExpired = error instanceof ApiProblem && error.status === 401;
      if (!isExpired || !(await refreshSession())) throw error;
      return send();
    });
  } finally {
    put(documentId, null);
  }
}
