import { throttle } from "@/lib/throttle";
import type { UploadItem } from "./upload-item";
import { recallUploads, rememberUploads } from "./upload-memory";

/** The lines of the tray as a store outside of React, remembered over a reload. */
export class UploadList {
  #items: readonly UploadItem[] = [];
  #listeners = new Set<() => void>();
  #owner = "";
  #rememberSoon = throttle(() => this.remember(), { soonMs: 100, everyMs: 500 });

  get items(): readonly UploadItem[] {
    return this.#items;
  }

  get owner(): string {
    return this.#owner;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  open(owner: string): void {
    this.remember();
    this.#owner = owner;
    this.set(recallUploads(owner));
  }

  find(id: string): UploadItem | undefined {
    return this.#items.find((item) => item.id === id);
  }

  change(id: string, change: Partial<UploadItem>): void {
    this.set(this.#items.map((item) => (item.id === id ? { ...item, ...change } : item)));
  }

  set(items: readonly UploadItem[]): void {
    this.#items = items;
    this.#rememberSoon();
    for (const listener of this.#listeners) listener();
  }

  remember(): void {
    this.#rememberSoon.cancel();
    if (this.#owner) rememberUploads(this.#owner, this.#items);
  }
}
