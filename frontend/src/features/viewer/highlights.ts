/** The highlight contract: 0..1 of the page as displayed (crop box after rotation), origin at the top left. */
export interface PageHighlight {
  page_number: number;
  rects: { x: number; y: number; w: number; h: number }[];
  /** Faint: one of several places, not the one that is looked at. Wash: the passage around it. Notes are underlined. */
  kind?: "faint" | "wash" | "note";
}

type Rect = PageHighlight["rects"][number];

/** Turn highlights clockwise with their page, by a multiple of 90 degrees. */
export function rotateHighlights(highlights: PageHighlight[], degrees: number): PageHighlight[] {
  return highlights.map((highlight) => ({ ...highlight, rects: highlight.rects.map((rect) => rotate(rect, degrees)) }));
}

function rotate({ x, y, w, h }: Rect, degrees: number): Rect {
  if (degrees === 90) return { x: 1 - y - h, y: x, w: h, h: w };
  if (degrees === 180) return { x: 1 - x - w, y: 1 - y - h, w, h };
  if (degrees === 270) return { x: y, y: 1 - x - w, w: h, h: w };
  return { x, y, w, h };
}

const LAYER_CLASS = "lectern-highlights";

/** Paint a page's rectangles over its canvas. What was painted before is replaced, if it is another. */
export function paintHighlights(pageElement: HTMLElement, pageNumber: number, highlights: PageHighlight[]): void {
  const before = pageElement.querySelector(`.${LAYER_CLASS}`);
  const rects = highlights
    .filter((highlight) => highlight.page_number === pageNumber)
    .flatMap(({ rects: own, kind }) => own.map((rect) => ({ ...rect, kind })));
  if (rects.length === 0) {
    before?.remove();
    return;
  }
  const layer = document.createElement("div");
  layer.className = LAYER_CLASS;
  layer.setAttribute("aria-hidden", "true");
  for (const { x, y, w, h, kind } of rects) {
    const mark = document.createElement("div");
    mark.style.left = `${x * 100}%`;
    mark.style.top = `${y * 100}%`;
    mark.style.width = `${w * 100}%`;
    mark.style.height = `${h * 100}%`;
    if (kind) mark.dataset.kind = kind;
    layer.append(mark);
  }
  // inside the canvas wrapper: it has exactly the displayed page's size, without the page's border
  const parent = pageElement.querySelector(".canvasWrapper") ?? pageElement;
  if (before?.parentElement === parent && before.isEqualNode(layer)) return;
  before?.remove();
  parent.append(layer);
}

const passageRects = (pageNumber: number, highlights: PageHighlight[]): Rect[] =>
  highlights.filter(({ page_number, kind }) => page_number === pageNumber && !kind).flatMap(({ rects }) => rects);

/** Return the top left corner of the passage on a page, in shares of the page; null when the page has none. */
export function startOfPassage(pageNumber: number, highlights: PageHighlight[]): { x: number; y: number } | null {
  const rects = passageRects(pageNumber, highlights);
  if (rects.length === 0) return null;
  return { x: Math.min(...rects.map(({ x }) => x)), y: Math.min(...rects.map(({ y }) => y)) };
}

/** Return the height of the lowest line of the passage, in shares of the page. */
export const lineHeight = (pageNumber: number, highlights: PageHighlight[]): number =>
  Math.min(...passageRects(pageNumber, highlights).map(({ w, h }) => Math.min(w, h)));

/** Share of the window above a passage, and pixels beside it, when it is opened. */
export const CONTEXT_ABOVE = 0.12;
export const NEAR_EDGE_PX = 8;
/** In windows below this width pages that fit are too small to read. */
const NARROW_PX = 600;
/** The height of a line whose letters measure about 12 pixels. */
const LEGIBLE_LINE_PX = 17;

/** Return how much lines of `height` pixels must be enlarged until their letters can be read on a phone. */
export const enlargement = (height: number): number =>
  window.innerWidth < NARROW_PX && height > 1 ? Math.max(1, LEGIBLE_LINE_PX / height) : 1;
