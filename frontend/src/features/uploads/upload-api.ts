import type { Document } from "@/features/documents/document-status";
import { api } from "@/lib/api/client";
import { ApiProblem } from "@/lib/api/problem";

/** A document as it is now; `gone` when it is not there any more; null when nobody answers. */
export async function fetchDocument(documentId: string): Promise<Document | "gone" | null> {
  try {
    const params = { path: { document_id: documentId } };
    return (await api.GET("/api/v1/documents/{document_id}", { params })).data ?? null;
  } catch (error) {
    return error instanceof ApiProblem && error.status === 404 ? "gone" : null;
  }
}

/** Whether the API answers at all. */
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
