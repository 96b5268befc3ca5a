import type { TFunction } from "i18next";
import type { Document } from "@/features/documents/status/document-status";
import { openDialog } from "@/shared/dialog";
import { EditDocumentForm } from "./edit-document-form";

export function openEditDialog(document: Document, t: TFunction): void {
  openDialog(t("documents.edit.title"), (close) => <EditDocumentForm document={document} onDone={close} />);
}
