import type { components } from "@/lib/api/schema";

type PageText = Pick<components["schemas"]["PageResponse"], "text" | "words">;
type Word = components["schemas"]["PageWord"];

/** Load the text of a page with the rectangles of its words. */
export type LoadText = (pageNumber: number) => Promise<PageText | null>;

const LAYER_CLASS = "lectern-text";
const FONT = "sans-serif";
/** Size at which words are measured. */
const MEASURED_PX = 100;

/**
 * Lay the words of a page over its picture, transparent, to be selected. What was laid before is replaced.
 *
 * A line is one element. Its letters are spaced so that each word begins where it does in the picture.
 */
export function writeText(pageElement: HTMLElement, pageNumber: number, page: PageText | null, rotation: number): void {
  pageElement.querySelector(`.${LAYER_CLASS}`)?.remove();
  const context = document.createElement("canvas").getContext("2d");
  if (!page?.words?.length || !context) return;
  context.font = `${MEASURED_PX}px ${FONT}`;
  const { clientWidth, clientHeight } = pageElement;
  const [width, height] = rotation % 180 ? [clientHeight, clientWidth] : [clientWidth, clientHeight];
  const layer = document.createElement("div");
  layer.className = LAYER_CLASS;
  layer.dataset.pageNumber = String(pageNumber);
  Object.assign(layer.style, { width: `${width}px`, height: `${height}px`, fontFamily: FONT });
  layer.style.transform = `translate(-50%, -50%) rotate(${rotation}deg)`;
  const characters = Array.from(page.text);
  for (const words of linesOf(page.words)) {
    const left = Math.min(...words.map(({ x }) => x));
    const top = Math.min(...words.map(({ y }) => y));
    const size = Math.max(...words.map(({ y, h }) => y + h - top)) * height;
    const line = document.createElement("div");
    Object.assign(line.style, { left: `${left * width}px`, top: `${top * height}px`, fontSize: `${size}px` });
    for (const [index, { x, w, start, end }] of words.entries()) {
      const next = words[index + 1];
      const text = characters.slice(start, end).join("") + (next ? " " : "");
      const wanted = (next ? next.x - x : w) * width;
      const natural = (context.measureText(text).width * size) / MEASURED_PX;
      const word = document.createElement("span");
      word.textContent = text;
      word.style.letterSpacing = `${(wanted - natural) / Array.from(text).length}px`;
      line.append(word);
    }
    layer.append(line);
  }
  pageElement.append(layer);
}

function linesOf(words: readonly Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const word of words) {
    const current = lines.at(-1);
    if (current?.[0]?.line === word.line) current.push(word);
    else lines.push([word]);
  }
  return lines;
}
