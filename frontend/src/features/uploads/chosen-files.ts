import { useSyncExternalStore } from "react";
import { uploads } from "./uploads";

/** Files that were dropped or picked and wait for the questions of the dialog. */
let chosen: readonly File[] = [];
const listeners = new Set<() => void>();

function set(files: readonly File[]) {
  chosen = files;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useChosenFiles = () => useSyncExternalStore(subscribe, () => chosen);

export const forgetChosenFiles = () => set([]);

/** Take files in: what a reload lost goes on at once, the rest is asked about. */
export function offerFiles(files: readonly File[]): void {
  const lost = files.filter((file) => uploads.isLost(file));
  if (lost.length > 0) uploads.add(lost.map((file) => ({ file, options: { tags: [] } })));
  const fresh = files.filter((file) => !lost.includes(file));
  if (fresh.length > 0) set([...chosen, ...fresh]);
}

/** Open the window of the system that chooses files. */
export function pickFiles(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.addEventListener("change", () => offerFiles([...(input.files ?? [])]));
  input.click();
}
