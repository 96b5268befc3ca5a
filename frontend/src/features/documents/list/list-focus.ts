/** The rows or cards of the list carry the id of their document, and hold the link that opens it. */
const ITEM = "[data-document]";
const LINK = "a[data-opens]";

const items = () => [...document.querySelectorAll<HTMLElement>(`main ${ITEM}`)];

/** Return the document whose row or card has the focus. */
export const focusedDocument = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>(ITEM)?.dataset.document;

/** Return the id some places further in the list, at most its last. Without a current one, the first. */
export function neighbour(ids: readonly string[], current: string | undefined, step: number): string | undefined {
  const index = current === undefined ? -1 : ids.indexOf(current);
  if (index === -1) return ids[0];
  return ids[Math.min(Math.max(index + step, 0), ids.length - 1)];
}

/** Focus the link of a document, so that Enter opens it and screen readers say it. */
export function focusDocument(id: string): void {
  const link = items()
    .find((item) => item.dataset.document === id)
    ?.querySelector<HTMLElement>(LINK);
  link?.focus({ preventScroll: true });
  link?.scrollIntoView({ block: "nearest" });
}

/** Focus the document after this one, or before the last. Without another, the main part of the page. */
export function focusBeside(id: string): void {
  if (items().some((item) => item.dataset.document === id)) focusOrMain(beside([id]));
}

/**
 * Choose the focus for when these documents have left the list, or their selection has ended. The returned function
 * moves it there, unless the reader has gone on to something else.
 */
export function focusLater(ids: readonly string[]): () => void {
  const next = beside(ids);
  const before = document.activeElement;
  return () => {
    const now = document.activeElement;
    const isLeaving = ids.includes(focusedDocument() ?? "");
    if (!now || now === before || now === document.body || isLeaving || now.closest("[data-bulk]")) focusOrMain(next);
  };
}

/** Return the document after the first of these that is none of them, or else the last one before. */
function beside(ids: readonly string[]): string | undefined {
  const listed = items().map((item) => item.dataset.document ?? "");
  const first = listed.findIndex((id) => ids.includes(id));
  const isOther = (id: string) => !ids.includes(id);
  return listed.slice(first + 1).find(isOther) ?? listed.slice(0, Math.max(first, 0)).findLast(isOther);
}

function focusOrMain(id: string | undefined): void {
  if (id !== undefined) focusDocument(id);
  if (id === undefined || focusedDocument() !== id) document.getElementById("content")?.focus({ preventScroll: true });
}
