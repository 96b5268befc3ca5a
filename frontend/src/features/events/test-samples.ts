import type { components } from "@/lib/api/schema";
import type { DocumentEvent, Job } from "./news";

type Document = components["schemas"]["DocumentResponse"];

/** A document that is ready, with the fields given. Data for tests. */
export function documentOf(given: Partial<Document> = {}): Document {
  return {
    id: "d1",
    filename: "report.pdf",
    title: "Annual report",
    aliases: [],
    collection: { id: "c1", name: "Library" },
    tags: [],
    content_type: "application/pdf",
    size_bytes: 120_000,
    sha256: "0".repeat(64),
    language: "en",
    status: "ready",
    error: null,
    page_count: 12,
    unreadable_page_count: 0,
    page_images: "available",
    has_printed_pages: false,
    chunk_count: 30,
    embedded_chunk_count: 30,
    keyword_ready_at: "2026-11-20T10:00:00Z",
    ready_at: "2026-11-20T10:01:00Z",
    created_at: "2026-11-20T09:59:00Z",
    updated_at: "2026-11-20T10:01:00Z",
    deleted_at: null,
    created_by: "user:u1",
    is_owner: false,
    version: 1,
    newer_version: null,
    progress: null,
    ...given,
  };
}

/** A running job of document `d1`. */
export function jobOf(given: Partial<Job> = {}): Job {
  return {
    id: "j1",
    kind: "ingest",
    document_id: "d1",
    state: "running",
    priority: 10,
    stage: "extract",
    progress: 0,
    page: null,
    page_count: null,
    chunks_embedded: null,
    chunks_to_embed: null,
    version: null,
    chunks_unchanged: null,
    chunks_added: null,
    chunks_removed: null,
    attempts: 1,
    crashes: 0,
    max_attempts: 3,
    error_code: null,
    error_message: null,
    error_hint: null,
    error_details: null,
    timings_seconds: {},
    created_at: "2026-11-20T09:59:00Z",
    started_at: "2026-11-20T09:59:01Z",
    heartbeat_at: null,
    next_try_at: null,
    finished_at: null,
    ...given,
  };
}

/** News of document `d1` that say what `documentOf()` says, but for the fields given. */
export function newsOf(given: Partial<DocumentEvent> = {}): DocumentEvent {
  const {
    filename,
    status,
    page_count,
    chunk_count,
    embedded_chunk_count,
    keyword_ready_at,
    ready_at,
    deleted_at,
    version,
    newer_version,
  } = documentOf();
  return {
    document_id: "d1",
    ...{
      filename,
      status,
      page_count,
      chunk_count,
      embedded_chunk_count,
      keyword_ready_at,
      ready_at,
      deleted_at,
      version,
      newer_version,
    },
    ...{ error_code: null, error_message: null, error_hint: null, error_details: null, job: null },
    ...given,
  };
}
