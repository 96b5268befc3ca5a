import type { Document } from "@/features/documents/status/document-status";
import { type DocumentEvent, newsFields } from "@/features/events/news";
import { fetchDocument } from "./upload-api";
import { followed, phaseOf } from "./upload-item";
import { UploadList } from "./upload-list";
import { UploadQueue } from "./upload-queue";

/** The uploads of this window; they outlive every screen. */
const uploadList = new UploadList();
export const uploads = new UploadQueue(uploadList);

export const useUploads = () => uploadList.use();

/** Load the uploads of a person. Another person starts with their own. */
export function openUploads(userId: string): void {
  if (userId === uploadList.owner) return;
  uploads.stop();
  uploadList.open(userId);
  void refreshUploads();
}

export function noteUploadNews(news: DocumentEvent): void {
  for (const item of uploadList.items) {
    if (item.document?.id !== news.document_id) continue;
    uploadList.change(item.id, { document: { ...item.document, ...newsFields(news) } });
  }
}

/** News may have been missed: ask how the documents stand. */
export async function refreshUploads(): Promise<void> {
  uploads.resume();
  const followedItems = uploadList.items.filter((item) => item.state === "kept" && phaseOf(item) === "active");
  for (const { id, document } of followedItems) {
    const now = document && (await fetchDocument(document.id));
    if (now === "gone") uploads.remove((item) => item.id === id);
    else if (now) uploadList.change(id, { document: followed(now) });
  }
}

/** Follow a document that is processed again after a failure. */
export function followAgain(id: string, document: Document | undefined): void {
  if (document) uploadList.change(id, { document: followed(document) });
}
