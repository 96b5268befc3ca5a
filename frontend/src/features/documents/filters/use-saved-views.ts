import { useMemo } from "react";
import { asView, type DocumentsSearch, readDocumentsSearch } from "@/features/documents/documents-search";
import { createStore } from "@/lib/create-store";

export interface SavedView {
  name: string;
  search: DocumentsSearch;
}

/** Filters that everybody needs. */
export const BUILT_IN_VIEWS = [
  { name: "attention", search: { status: ["failed"] } },
  { name: "working", search: { status: ["queued", "processing"] } },
  { name: "untagged", search: { untagged: true } },
  { name: "shared", search: { shared: true } },
] as const satisfies SavedView[];

/** Counts what was saved and removed: the navigation and the list show the same views. */
const changes = createStore(0);

const storageKey = (userId: string) => `lectern-views-${userId}`;

/** Read views from the browser's storage. Invalid ones are left out. */
export function readViews(stored: string | null): SavedView[] {
  if (stored === null) return [];
  try {
    const value: unknown = JSON.parse(stored);
    return Array.isArray(value) ? value.flatMap(readView) : [];
  } catch {
    return [];
  }
}

function readView(value: unknown): SavedView[] {
  if (typeof value !== "object" || value === null) return [];
  const { name, search } = value as Record<string, unknown>;
  if (typeof name !== "string" || typeof search !== "object" || search === null) return [];
  return [{ name, search: asView(readDocumentsSearch(search as Record<string, unknown>)) }];
}

/** Saved filters of a person in this browser. Saving under an existing name replaces it. */
export function useSavedViews(userId: string) {
  const version = changes.use();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a view changes
  const views = useMemo(() => readViews(localStorage.getItem(storageKey(userId))), [userId, version]);
  function keep(next: SavedView[]) {
    localStorage.setItem(storageKey(userId), JSON.stringify(next));
    changes.set(changes.get() + 1);
  }
  return {
    views,
    save: (name: string, search: DocumentsSearch) =>
      keep([...views.filter((view) => view.name !== name), { name, search: asView(search) }]),
    remove: (name: string) => keep(views.filter((view) => view.name !== name)),
  };
}
