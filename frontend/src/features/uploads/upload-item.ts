import type { Document } from "@/features/documents/status/document-status";
import type { ProblemDetails } from "@/lib/api/problem";
import type { components } from "@/lib/api/schema";

export type UploadResult = components["schemas"]["UploadResult"];

/** Options of a file before it is sent. The API decides absent ones. */
export interface UploadOptions {
  collection?: string;
  tags: string[];
  language?: string;
  /** A document of the collection with the same filename gets the file as its new version. */
  isNewVersion?: boolean;
}

/** The fields of a document that a line of the tray shows. */
export type FollowedDocument = Pick<
  Document,
  | "id"
  | "title"
  | "status"
  | "error"
  | "progress"
  | "keyword_ready_at"
  | "unreadable_page_count"
  | "chunk_count"
  | "embedded_chunk_count"
>;

/**
 * waiting   for its turn
 * sending   `share` of it is sent
 * pausing   the connection broke: a retry follows
 * refused   the API did not take it, or it cannot be read from the disk; `problem` says why
 * cancelled by the person, before it was sent
 * lost      the page was reloaded before it was sent: the browser no longer has the file
 * kept      the API has stored it; the document has the further status
 */
type UploadState = "waiting" | "sending" | "pausing" | "refused" | "cancelled" | "lost" | "kept";

export interface UploadItem {
  id: string;
  filename: string;
  sizeBytes: number;
  options: UploadOptions;
  state: UploadState;
  share: number;
  problem: ProblemDetails | null;
  document: FollowedDocument | null;
  isDuplicate: boolean;
  isRestored: boolean;
  /** It became a version of a document that was there. */
  isNewVersion?: boolean;
  /** It was sent before the page was loaded. */
  isRecalled?: boolean;
  /** The file existed in another language and is reprocessed in the given one. */
  isReread: boolean;
}

let made = 0;

export function newItem(file: File, options: UploadOptions): UploadItem {
  return {
    id: `${Date.now()}-${made++}`, // crypto.randomUUID is absent where the page came over plain http
    filename: file.name,
    sizeBytes: file.size,
    options,
    state: "waiting",
    share: 0,
    problem: null,
    document: null,
    isDuplicate: false,
    isRestored: false,
    isReread: false,
  };
}

export function followed(document: Document): FollowedDocument {
  const { id, title, status, error, progress, keyword_ready_at } = document;
  const { unreadable_page_count, chunk_count, embedded_chunk_count } = document;
  return {
    ...{ id, title, status, error, progress, keyword_ready_at },
    ...{ unreadable_page_count, chunk_count, embedded_chunk_count },
  };
}

const isSettled = (status: Document["status"]) => status === "ready" || status === "failed";

/** The phase of an upload as people see it in the tray. */
export function phaseOf({ state, document }: UploadItem): "active" | "attention" | "done" {
  if (state === "refused" || state === "lost") return "attention";
  if (state === "cancelled") return "done";
  if (state !== "kept" || !document || !isSettled(document.status)) return "active";
  return document.status === "ready" || document.error?.code === "cancelled" ? "done" : "attention";
}
