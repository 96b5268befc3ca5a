import type { DocumentEvent } from "@/features/events/news";
import { i18n } from "@/lib/i18n/i18n";
import { notifyError } from "@/shared/notify";

/** Documents that are processed with a password. */
const tried = new Set<string>();

export function notePassword(documentId: string): void {
  tried.add(documentId);
}

/** Say so if the password did not open the file: its status is as before then. */
export function notePasswordNews({ document_id, filename, status, error_code }: DocumentEvent): void {
  const isSettled = status === "failed" || status === "ready";
  if (!isSettled || !tried.delete(document_id) || error_code !== "encrypted") return;
  notifyError(i18n.t("documents.password.wrong", { filename }));
}
