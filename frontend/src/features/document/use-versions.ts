import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { replaceDocument } from "@/features/documents/use-documents";
import { $api } from "@/lib/api/client";
import { invalidate } from "@/lib/api/keys";
import { ApiProblem } from "@/lib/api/problem";
import type { components } from "@/lib/api/schema";
import { sendBody } from "@/lib/api/send-body";
import { refreshSession } from "@/lib/api/session-refresh";
import { createStore } from "@/lib/create-store";
import type { DocumentRecord } from "./use-document";

export type Version = components["schemas"]["VersionResponse"];
export type Accepted = components["schemas"]["VersionAccepted"];

const MOST = 100;

/** List the versions of a document, the newest first. Refetch when the state of one changes. */
export function useVersions(document: DocumentRecord) {
  const client = useQueryClient();
  const versions = $api.useQuery("get", "/api/v1/documents/{document_id}/versions", {
    params: { path: { document_id: document.id }, query: { limit: MOST } },
  });
  const standing = `${document.version}/${document.newer_version?.state}/${document.progress?.state}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the standing is what it waits for
  useEffect(() => {
    if (versions.isSuccess) void invalidate(client, "versions");
  }, [client, standing]);
  return versions;
}

export function useVersionMutations() {
  const client = useQueryClient();
  const onAccepted = (accepted: Accepted) => {
    replaceDocument(client, accepted.document);
    void invalidate(client, "versions");
  };
  return {
    onAccepted,
    restore: $api.useMutation("post", "/api/v1/documents/{document_id}/versions/{number}/restore", {
      onSuccess: onAccepted,
    }),
  };
}

export const versionUrl = (documentId: string, number: number) =>
  `/api/v1/documents/${documentId}/versions/${number}/original`;

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
