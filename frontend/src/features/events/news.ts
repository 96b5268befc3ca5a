import { type ErrorField, errorOf } from "@/features/documents/status/document-status";
import type { components } from "@/lib/api/schema";

type Document = components["schemas"]["DocumentResponse"];
export type Job = Omit<components["schemas"]["DocumentJobResponse"], "filename">;

/** The status of a document: the data of a `document` event. */
export type DocumentEvent = Pick<
  Document,
  | "filename"
  | "status"
  | "page_count"
  | "chunk_count"
  | "embedded_chunk_count"
  | "keyword_ready_at"
  | "ready_at"
  | "deleted_at"
  | "version"
  | "newer_version"
> &
  Pick<Job, "document_id" | ErrorField> & { job: Job | null };

/** The fields of a document that news bring up to date. */
export function newsFields(news: DocumentEvent) {
  const { document_id: _, error_code, error_message, error_hint, error_details, job, ...fields } = news;
  return {
    ...fields,
    error: errorOf({ error_code, error_message, error_hint, error_details }),
    progress: job ? progressOf(job) : null,
  } satisfies Partial<Document>;
}

function progressOf(job: Job): NonNullable<Document["progress"]> {
  const { kind, state, stage, page, page_count, chunks_embedded, chunks_to_embed } = job;
  const { version, chunks_unchanged, chunks_added, chunks_removed } = job;
  const { attempts, max_attempts, next_try_at, started_at, finished_at } = job;
  return {
    job_id: job.id,
    share: job.progress,
    ...{ kind, state, stage, page, page_count, chunks_embedded, chunks_to_embed },
    ...{ version, chunks_unchanged, chunks_added, chunks_removed, error: errorOf(job) },
    ...{ attempts, max_attempts, next_try_at, started_at, finished_at },
  };
}
