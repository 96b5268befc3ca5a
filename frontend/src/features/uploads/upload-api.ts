import type { Document } from "@/features/documents/status/document-status";
import { api } from "@/lib/api/client";
import { ApiProblem } from "@/lib/api/problem";
import { type Sending, sendBody } from "@/lib/api/send-body";
import type { UploadOptions, UploadResult } from "./upload-item";

/** A document as it is now; `gone` when it is not there any more; null when nobody answers. */
export async function fetchDocument(documentId: string): Promise<Document | "gone" | null> {
  try {
    const params = { path: { document_id: documentId } };
    return (await api.GET("/api/v1/documents/{document_id}", { params })).data ?? null;
  } catch (error) {
    return error instanceof ApiProblem && error.status === 404 ? "gone" : null;
  }
}

/** Return true if the API responds. */
export async function isWithinReach(): Promise<boolean> {
  try {
    const response = await globalThis.fetch("/api/v1/auth/me", { credentials: "same-origin" });
    return response.status < 500;
  } catch {
    return false;
  }
}

export async function ingest(documentId: string, password?: string): Promise<Document | undefined> {
  const params = { path: { document_id: documentId } };
  const body = password === undefined ? null : { password };
  return (await api.POST("/api/v1/documents/{document_id}/ingest", { params, body })).data;
}

export async function cancelJob(jobId: string): Promise<void> {
  await api.POST("/api/v1/jobs/{job_id}/cancel", { params: { path: { job_id: jobId } } });
}

/** The address that takes a file as the body of the request. */
function uploadUrl(filename: string, { collection, tags, language, isNewVersion }: UploadOptions): string {
  const query = new URLSearchParams({ filename });
  for (const tag of tags) query.append("tags", tag);
  if (collection) query.set("collection", collection);
  if (language) query.set("language", language);
  if (isNewVersion) query.set("on_same_name", "new_version");
  return `/api/v1/documents?${query}`;
}

/** Send one file as it is, as a document. Rejects as `sendBody` does. */
export async function sendFile(file: File, options: UploadOptions, sending: Sending): Promise<UploadResult> {
  const target = { method: "POST", url: uploadUrl(file.name, options) } as const;
  const { items } = await sendBody<{ items?: UploadResult[] }>(target, file, sending);
  const result = items?.[0];
  if (!result) throw new ApiProblem({ status: 200, code: "http_200", title: "", detail: "" });
  return result;
}
