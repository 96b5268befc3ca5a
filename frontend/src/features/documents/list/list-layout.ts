import { createStore } from "@/lib/create-store";

/** Columns that people can choose, in their order. Title and actions are always there. */
export const COLUMNS = ["tags", "collection", "type", "pages", "size", "language", "added", "updated"] as const;
export type Column = (typeof COLUMNS)[number];
export const DEFAULT_COLUMNS: readonly Column[] = ["tags", "collection", "type", "pages", "size", "added"];

const COLUMNS_KEY = "lectern-columns";
const LAYOUT_KEY = "lectern-documents-layout";

/** Read chosen columns from the browser's storage. Null means the default. */
export function readColumns(stored: string | null): readonly Column[] | null {
  if (stored === null) return null;
  const names = stored.split(",");
  return COLUMNS.filter((column) => names.includes(column));
}

/** The columns that somebody chose in this browser, or null. */
export const chosenColumns = createStore(readColumns(localStorage.getItem(COLUMNS_KEY)));

/** Choose columns. Null goes back to the default, which leaves out columns without room. */
export function chooseColumns(columns: readonly Column[] | null): void {
  const ordered = columns && COLUMNS.filter((column) => columns.includes(column));
  if (ordered) localStorage.setItem(COLUMNS_KEY, ordered.join());
  else localStorage.removeItem(COLUMNS_KEY);
  chosenColumns.set(ordered);
}

export type Layout = "list" | "grid";

/** Whether documents are rows or pictures of their first pages. */
export const layout = createStore<Layout>(localStorage.getItem(LAYOUT_KEY) === "grid" ? "grid" : "list");

export function chooseLayout(next: Layout): void {
  localStorage.setItem(LAYOUT_KEY, next);
  layout.set(next);
}
