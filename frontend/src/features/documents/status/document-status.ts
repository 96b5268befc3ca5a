import type { TFunction } from "i18next";
import type { components } from "@/lib/api/schema";
import { formatNumber, formatPercent, formatTime } from "@/lib/format";
import { completeSentence, problemText } from "@/lib/i18n/problem-text";

export type Document = components["schemas"]["DocumentResponse"];
type Reading = Pick<
  Document,
  | "status"
  | "error"
  | "progress"
  | "keyword_ready_at"
  | "unreadable_page_count"
  | "chunk_count"
  | "embedded_chunk_count"
>;

type Tone = "waiting" | "working" | "ready" | "failed";
/** The action that helps after a failure. */
type Remedy = "password" | "retry" | "none";

export interface StatusWords {
  tone: Tone;
  label: string;
  /** More about it, in a sentence. */
  detail?: string;
  /** 0 to 1 while it is worked on. */
  share?: number;
  remedy: Remedy;
}

const EXPLAINED = [
  "encrypted",
  "corrupt",
  "timed_out",
  "no_text",
  "empty",
  "too_large",
  "unsupported_type",
  "crashed_worker",
  "gave_up",
  "cancelled",
  "internal_error",
] as const;
const WITHOUT_REMEDY = ["no_text", "empty", "corrupt", "unsupported_type", "too_large"];

/** Describe the status of a document. */
export function statusWords(document: Reading, t: TFunction): StatusWords {
  if (document.status === "failed") return failed(document, t);
  if (document.status === "ready") return ready(document, t);
  if (document.progress?.next_try_at && document.progress.state === "queued") return pausing(document, t);
  if (document.status === "queued") {
    return { tone: "waiting", label: t("documents.status.queued"), share: 0, remedy: "none" };
  }
  return working(document, t);
}

function ready({ unreadable_page_count: count }: Reading, t: TFunction): StatusWords {
  return {
    tone: "ready",
    label: t("documents.status.ready"),
    ...(count > 0 ? { detail: t("documents.status.unreadable", { count }) } : {}),
    remedy: "none",
  };
}

function pausing({ progress }: Reading, t: TFunction): StatusWords {
  return {
    tone: "waiting",
    label: t("documents.status.pausing"),
    detail: t("documents.status.nextTry", {
      time: formatTime(progress?.next_try_at ?? ""),
      attempts: formatNumber(progress?.attempts ?? 0),
    }),
    share: progress?.share ?? 0,
    remedy: "none",
  };
}

function working({ progress, keyword_ready_at }: Reading, t: TFunction): StatusWords {
  const share = progress?.share ?? 0;
  const words = { tone: "working", share, remedy: "none" } as const;
  const found = keyword_ready_at ? { detail: t("documents.status.keywordReady") } : {};
  switch (progress?.stage) {
    case "extract":
      return { ...words, label: reading(progress, t), ...found };
    case "chunk":
      return { ...words, label: t("documents.status.chunk"), ...found };
    case "index":
      return { ...words, label: t("documents.status.index"), ...found };
    case "embed":
      return { ...words, label: embedding(progress, t), ...found };
    default:
      return { ...words, label: t("documents.status.processing"), ...found };
  }
}

function reading({ page, page_count }: NonNullable<Document["progress"]>, t: TFunction): string {
  if (!page || !page_count) return t("documents.status.extract");
  return t("documents.status.extractPage", { page: formatNumber(page), pages: formatNumber(page_count) });
}

function embedding({ chunks_embedded, chunks_to_embed }: NonNullable<Document["progress"]>, t: TFunction): string {
  const share = chunks_to_embed ? (chunks_embedded ?? 0) / chunks_to_embed : 0;
  // all are embedded and it is not ready yet: the last of the work is left
  return t("documents.status.embed", { percent: formatPercent(Math.min(share, 0.99)) });
}

interface Failure {
  code: string;
  message?: string | null;
  hint?: string | null;
  /** Which limit was passed and by how much. */
  details?: Record<string, unknown> | null;
}

export type ErrorField = "error_code" | "error_message" | "error_hint" | "error_details";

/** A failure as documents and versions tell it, from the columns of a job. */
export function errorOf(job: Pick<components["schemas"]["DocumentJobResponse"], ErrorField>) {
  const { error_code: code, error_message, error_hint: hint, error_details: details } = job;
  return code ? { code, message: error_message ?? "", hint, details } : null;
}

/** Describe a failure and its remedy in the reader's language. Unknown codes use the API's sentences. */
export function failureWords(
  { code, message, hint, details }: Failure,
  t: TFunction,
): { label: string; detail: string } {
  const explained = EXPLAINED.find((known) => known === code);
  if (explained) {
    const numbers = completeSentence("failures", code, details ?? {});
    const sentences = [numbers, t(`documents.failure.${explained}.remedy`)];
    return { label: t(`documents.failure.${explained}.label`), detail: sentences.filter(Boolean).join(" ") };
  }
  const problem = { ...details, status: 0, title: "", code, detail: message ?? "", hint: hint ?? undefined };
  return { label: t("documents.status.failed"), detail: problemText(problem) };
}

function failed({ error }: Reading, t: TFunction): StatusWords {
  const code = error?.code ?? "internal_error";
  return {
    tone: "failed",
    ...failureWords({ ...error, code }, t),
    remedy: remedyOf(code),
  };
}

/** The action that helps after the failure of a document or of its job. */
export function remedyOf(code: string): Remedy {
  if (code === "encrypted") return "password";
  return WITHOUT_REMEDY.includes(code) ? "none" : "retry";
}

/** Return true for a PDF that its viewer unlocks. */
export const isLockedPdf = ({ content_type, error }: Pick<Document, "content_type" | "error">): boolean =>
  content_type === "application/pdf" && error?.code === "encrypted";

/** "Word (DOCX)" for its media type; the media type itself where it has no name. */
export const typeName = (type: string, t: TFunction) =>
  t(`documents.typeName.${type.replace(/[/.+-]/g, "_")}`, { defaultValue: type });

const EXTENSIONS: Record<string, string> = {
  "application/pdf": "PDF",
  "application/epub+zip": "EPUB",
  "application/vnd.ms-outlook": "MSG",
  "message/rfc822": "EML",
  "text/calendar": "ICS",
  "text/markdown": "MD",
  "text/plain": "TXT",
  "image/jpeg": "JPEG",
};
const OFFICE_EXTENSIONS = {
  "wordprocessingml.document": "DOCX",
  "presentationml.presentation": "PPTX",
  "spreadsheetml.sheet": "XLSX",
  "opendocument.text": "ODT",
  "opendocument.spreadsheet": "ODS",
  "opendocument.presentation": "ODP",
} as const;

/** "DOCX" for its media type: short, and the same in every language. */
export function typeExtension(type: string): string {
  const office = Object.entries(OFFICE_EXTENSIONS).find(([ending]) => type.endsWith(ending));
  return EXTENSIONS[type] ?? office?.[1] ?? type.slice(type.lastIndexOf("/") + 1).toUpperCase();
}
