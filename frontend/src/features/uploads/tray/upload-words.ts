import type { TFunction } from "i18next";
import { type StatusWords, statusWords } from "@/features/documents/status/document-status";
import { phaseOf, type UploadItem } from "@/features/uploads/upload-item";
import { formatBytes, formatPercent, languageInSentence } from "@/lib/format";
import { problemText } from "@/lib/i18n/problem-text";

const EXPLAINED = [
  "corrupt",
  "file_too_large",
  "storage_full",
  "read_only",
  "unreadable_file",
  "broken_connection",
] as const;

const FINAL = ["unsupported_type", "corrupt", "empty", "file_too_large", "read_only", "unreadable_file"];

/** Return true if sending the same file again would fail again. */
export function isFinal({ problem }: UploadItem): boolean {
  return FINAL.includes(problem?.code ?? "");
}

/** Describe the state of an upload. `note` describes duplicates. */
export function uploadWords(item: UploadItem, t: TFunction): StatusWords & { note?: string } {
  const { state, share } = item;
  switch (state) {
    case "waiting":
      return { tone: "waiting", label: t("uploads.state.waiting"), remedy: "none" };
    case "sending":
      return share >= 1
        ? { tone: "working", label: t("uploads.state.storing"), share, remedy: "none" }
        : {
            tone: "working",
            label: t("uploads.state.sending", { percent: formatPercent(share) }),
            share,
            remedy: "none",
          };
    case "pausing":
      return {
        tone: "waiting",
        label: t("uploads.state.pausing"),
        detail: t("uploads.state.pausingNote"),
        remedy: "none",
      };
    case "cancelled":
      return { tone: "waiting", label: t("uploads.state.cancelled"), remedy: "none" };
    case "lost":
      return {
        tone: "failed",
        label: t("uploads.state.lost"),
        detail: t("uploads.state.lostNote"),
        remedy: "none",
      };
    case "refused":
      return refused(item, t);
    case "kept":
      return kept(item, t);
  }
}

const ARCHIVE = /\.(zip|7z|rar|tar|t?gz)$/i;
const OLD_OFFICE = /\.(doc|xls|ppt)$/i;

/** Say how to make a file that can be read of one that cannot. */
function unsupportedText(filename: string, t: TFunction): string {
  if (ARCHIVE.test(filename)) return t("uploads.problem.archive");
  const [, ending] = OLD_OFFICE.exec(filename) ?? [];
  if (ending) return t("uploads.problem.old_office", { format: `${ending.toUpperCase()}X` });
  return t("uploads.problem.unsupported_type");
}

function refusalText({ filename, problem }: UploadItem, t: TFunction): string | null {
  const code = problem?.code ?? "";
  if (code === "unsupported_type") return unsupportedText(filename, t);
  const limit = typeof problem?.max_bytes === "number" ? formatBytes(problem.max_bytes) : "";
  const explained = EXPLAINED.find((known) => known === code && (known !== "file_too_large" || limit));
  return explained ? t(`uploads.problem.${explained}`, { limit }) : problem && problemText(problem);
}

function refused(item: UploadItem, t: TFunction): StatusWords {
  const detail = refusalText(item, t);
  return { tone: "failed", label: t("uploads.state.refused"), ...(detail ? { detail } : {}), remedy: "none" };
}

function kept(item: UploadItem, t: TFunction): StatusWords & { note?: string } {
  const words = item.document
    ? statusWords(item.document, t)
    : ({ tone: "waiting", label: t("uploads.state.waiting"), remedy: "none" } as const);
  const note = duplicateNote(item, t);
  return note ? { ...words, note } : words;
}

function duplicateNote(item: UploadItem, t: TFunction): string | null {
  const { isDuplicate, isNewVersion, isReread, options } = item;
  if (!isDuplicate) return isNewVersion ? t("uploads.newVersion") : null;
  const reread =
    isReread && options.language ? t("uploads.reread", { language: languageInSentence(options.language) }) : null;
  return [knownNote(item, t), reread].filter(Boolean).join(" · ");
}

function knownNote({ isRestored, options: { tags } }: UploadItem, t: TFunction): string {
  if (isRestored) return t("uploads.restored");
  return tags.length > 0 ? t("uploads.duplicateTagged", { tags: tags.join(", ") }) : t("uploads.duplicate");
}

/** The head of the tray: what is going on, all lines together. */
export function summary(items: readonly UploadItem[], t: TFunction): string {
  const count = { active: 0, attention: 0, done: 0 };
  for (const item of items) count[phaseOf(item)] += 1;
  const parts = [
    count.active > 0 ? t("uploads.summary.active", { count: count.active }) : null,
    count.attention > 0 ? t("uploads.summary.attention", { count: count.attention }) : null,
    count.done > 0 && count.active === 0 ? t("uploads.summary.done", { count: count.done }) : null,
  ];
  return parts.filter(Boolean).join(" · ");
}

/** Sort uploads: attention needed first, then active, then done, the last of them first. */
export function inOrder(items: readonly UploadItem[]): UploadItem[] {
  const ofPhase = (phase: ReturnType<typeof phaseOf>) => items.filter((item) => phaseOf(item) === phase);
  return [...ofPhase("attention"), ...ofPhase("active"), ...ofPhase("done").reverse()];
}
