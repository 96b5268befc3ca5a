import { ApiProblem } from "@/lib/api/problem";
import { sendBody } from "@/lib/api/send-body";
import { refreshSession } from "@/lib/api/session-refresh";
import { createStore } from "@/lib/create-store";
import type { Accepted } from "./use-versions";

/** A file on its way to become the next version of a document. */
export interface VersionSending {
  filename: string;
  share: number;
  abort: AbortController;
}

// Kept outside of components: another panel or page may be looked at while a large file is sent.
const sendings = createStore<Readonly<Record<string, VersionSending | null>>>({});

const put = (documentId: string, sending: VersionSending | null) =>
  sendings.set({ ...sendings.get(), [documentId]: sending });

/** Return the file that is being sent for a document, with the share that has left. */
export const useVersionSending = (documentId: string) => sendings.use()[documentId] ?? null;

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
