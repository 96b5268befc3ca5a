import { phaseOf, type UploadItem } from "./upload-item";

const storageKey = (userId: string) => `lectern-uploads-${userId}`;

/** Keep what a reload of the page must not forget. */
export function rememberUploads(userId: string, items: readonly UploadItem[]): void {
  const kept = items.filter((item) => phaseOf(item) !== "done");
  if (kept.length === 0) sessionStorage.removeItem(storageKey(userId));
  else sessionStorage.setItem(storageKey(userId), JSON.stringify(kept));
}

/** What was under way before the page was loaded: files that had not been sent are lost, by name. */
export function recallUploads(userId: string): UploadItem[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey(userId)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isItem).map(recalled) : [];
  } catch {
    return [];
  }
}

function isItem(value: unknown): value is UploadItem {
  const { id, filename, options } = (value ?? {}) as Partial<UploadItem>;
  return typeof id === "string" && typeof filename === "string" && Array.isArray(options?.tags);
}

function recalled(item: UploadItem): UploadItem {
  const isKnown = item.state === "refused" || (item.state === "kept" && item.document);
  return { ...item, isRecalled: true, ...(isKnown ? {} : { state: "lost", share: 0 }) };
}
