/** The highlight contract: 0..1 of the page as displayed (crop box after rotation), origin at the top left. */
export interface PageHighlight {
  page: number;
  rects: { x: number; y: number; w: number; h: number }[];
  /** One of several places, not the one that is looked at. */
  isFaint?: boolean;
}

const LAYER_CLASS = "lectern-highlights";

/** Paint a page's rectangles over its canvas; what was painted before is replaced. */
export function paintHighlights(pageElement: HTMLElement, pageNumber: number, highlights: PageHighlight[]): void {
  pageElement.querySelector(`.${LAYER_CLASS}`)?.remove();
  const rects = highlights
    .filter((highlight) => highlight.page === pageNumber)
    .flatMap(({ rects: own, isFaint }) => own.map((rect) => ({ ...rect, isFaint })));
  if (rects.length === 0) return;
  const layer = document.createElement("div");
  layer.className = LAYER_CLASS;
  layer.setAttribute("aria-hidden", "true");
  for (const { x, y, w, h, isFaint } of rects) {
    const mark = document.createElement("div");
    mark.style.left = `${x * 100}%`;
    mark.style.top = `${y * 100}%`;
    mark.style.width = `${w * 100}%`;
    mark.style.height = `${h * 100}%`;
    if (isFaint) mark.dataset.faint = "true";
    layer.append(mark);
  }
  // inside the canvas wrapper: it has exactly the displayed page's size, without the page's border
  (pageElement.querySelector(".canvasWrapper") ?? pageElement).append(layer);
}

/** The share of the page's height at which the first rectangle begins; null when the page has none. */
export function topOfHighlight(pageNumber: number, highlights: PageHighlight[]): number | null {
  const tops = highlights
    .filter((highlight) => highlight.page === pageNumber && !highlight.isFaint)
    .flatMap((highlight) => highlight.rects.map((rect) => rect.y));
  return tops.length > 0 ? Math.min(...tops) : null;
}
