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
  const ids = items().map((item) => item.dataset.document ?? "");
  const index = ids.indexOf(id);
  if (index === -1) return;
  const other = ids[index + 1] ?? ids[index - 1];
  if (other) focusDocument(other);
  else document.getElementById("content")?.focus({ preventScroll: true });
}
