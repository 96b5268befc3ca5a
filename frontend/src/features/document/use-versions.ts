import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { replaceDocument } from "@/features/documents/use-documents";
import { $api } from "@/lib/api/client";
import { invalidate } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";
import type { DocumentRecord } from "./use-document";

export type Version = components["schemas"]["VersionResponse"];
export type Accepted = components["schemas"]["VersionAccepted"];

const MOST = 100;

/** The versions of a document, the newest first; asked again when one of them gets further. */
export function useVersions(document: DocumentRecord) {
  const client = useQueryClient();
  const versions = $api.useQuery("get", "/api/v1/documents/{document_id}/versions", {
    params: { path: { document_id: document.id }, query: { limit: MOST } },
  });
  const standing = `${document.version}/${document.newer_version?.state}/${document.progress?.state}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the standing is what it waits for
  useEffect(() => void invalidate(client, "versions"), [client, standing]);
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
