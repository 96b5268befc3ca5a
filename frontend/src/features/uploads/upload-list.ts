import { createStore } from "@/lib/create-store";
import { throttle } from "@/lib/throttle";
import { phaseOf, type UploadItem } from "./upload-item";

/** The lines of the tray as a store outside of React, remembered over a reload. */
export class UploadList {
  #store = createStore<readonly UploadItem[]>([]);
  #owner = "";
  #rememberSoon = throttle(() => this.remember(), { soonMs: 100, everyMs: 500 });

  get items(): readonly UploadItem[] {
    return this.#store.get();
  }

  get owner(): string {
    return this.#owner;
  }

  use(): readonly UploadItem[] {
    return this.#store.use();
  }

  open(owner: string): void {
    this.remember();
    this.#owner = owner;
    this.set(recallUploads(owner));
  }

  find(id: string): UploadItem | undefined {
    return this.items.find((item) => item.id === id);
  }

  change(id: string, change: Partial<UploadItem>): void {
    this.set(this.items.map((item) => (item.id === id ? { ...item, ...change } : item)));
  }

  set(items: readonly UploadItem[]): void {
    this.#store.set(items);
    this.#rememberSoon();
  }

  remember(): void {
    this.#rememberSoon.cancel();
    if (this.#owner) rememberUploads(this.#owner, this.items);
  }
}

const storageKey = (userId: string) => `lectern-uploads-${userId}`;

/** Keep what a reload of the page must not forget. */
function rememberUploads(userId: string, items: readonly UploadItem[]): void {
  const kept = items.filter((item) => phaseOf(item) !== "done");
  if (kept.length === 0) sessionStorage.removeItem(storageKey(userId));
  else sessionStorage.setItem(storageKey(userId), JSON.stringify(kept));
}

/** Restore uploads from before a reload. Files that were not sent are lost and listed by name. */
function recallUploads(userId: string): UploadItem[] {
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
