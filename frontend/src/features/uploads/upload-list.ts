import { createStore } from "@/lib/create-store";
import { throttle } from "@/lib/throttle";
import type { UploadItem } from "./upload-item";
import { recallUploads, rememberUploads } from "./upload-memory";

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
