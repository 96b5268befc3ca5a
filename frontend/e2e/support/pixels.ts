import type { Page } from "playwright-core";

export interface Colour {
  name: string;
  rgb: [number, number, number];
}

/** Count the pixels of a colour, in total and below the highlight. */
export interface Share {
  pixels: number;
  highlighted: number;
}

const CHANNEL_TOLERANCE = 24;
/** How much a highlight changes a channel of white paper at least. The wash around a passage changes it less than a mark. */
export const DEPTHS = { wash: 12, mark: 40 } as const;

/** Count the pixels of each colour in `plain` and which of them `marked`, the same picture, shows otherwise. */
export function sharesUnderHighlight(
  page: Page,
  pictures: { plain: Buffer; marked: Buffer },
  colours: Colour[],
  depth: number = DEPTHS.wash,
): Promise<Record<string, Share>> {
  const sources = [pictures.plain, pictures.marked].map((png) => `data:image/png;base64,${png.toString("base64")}`);
  return page.evaluate(countPixels, { sources, colours, tolerance: CHANNEL_TOLERANCE, depth });
}

interface CountInput {
  sources: string[];
  colours: Colour[];
  tolerance: number;
  depth: number;
}

/**
 * Runs in the browser, which can read pictures. A highlight multiplies: it changes the white round the letters and not
 * always the letters, so a letter counts as highlighted when the paper to its left and right within its line is.
 */
async function countPixels({ sources, colours, tolerance, depth }: CountInput): Promise<Record<string, Share>> {
  const read = async (source: string) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [plain, marked] = await Promise.all(sources.map(read));
  if (!plain || !marked || plain.width !== marked.width || plain.height !== marked.height) {
    throw new Error("the pictures differ in size");
  }
  const { width, height, data } = plain;
  const isPaper = (at: number) => Math.min(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) > 250;
  const isChanged = (at: number) =>
    [0, 1, 2].some((channel) => Math.abs((data[at + channel] ?? 0) - (marked.data[at + channel] ?? 0)) > depth);
  const nearestPaper = (column: number, row: number, step: number) => {
    for (let x = column; x >= 0 && x < width; x += step) {
      const at = (row * width + x) * 4;
      if (isPaper(at)) return isChanged(at);
    }
    return false;
  };
  const shares = Object.fromEntries(colours.map(({ name }) => [name, { pixels: 0, highlighted: 0 }]));
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const at = (row * width + column) * 4;
      const colour = colours.find(({ rgb }) =>
        rgb.every((value, channel) => Math.abs((data[at + channel] ?? 0) - value) <= tolerance),
      );
      const share = colour && shares[colour.name];
      if (!share) continue;
      share.pixels += 1;
      if (nearestPaper(column, row, 1) || nearestPaper(column, row, -1)) share.highlighted += 1;
    }
  }
  return shares;
}
