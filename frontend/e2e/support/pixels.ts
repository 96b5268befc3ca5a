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

const QUALITY = 0.6;

/** Open a page that works on pictures. In a window of its own: another tab would slow down the page that is photographed. */
export async function openTable(page: Page): Promise<Page> {
  const browser = page.context().browser();
  if (!browser) throw new Error("the page has no browser");
  return browser.newPage();
}

/** Return a picture as WebP. */
export async function asWebp(page: Page, picture: Buffer): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ({ source, quality }) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      const blob = await canvas.convertToBlob({ type: "image/webp", quality });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    },
    { source: `data:image/png;base64,${picture.toString("base64")}`, quality: QUALITY },
  );
  return Buffer.from(base64, "base64");
}

/** Blocks of this many pixels are compared by their mean colour, so that the edges of letters may differ. */
const BLOCK = 8;

/** Return the share of the blocks of two WebP pictures that differ. 1 for pictures of different size. */
export function differingShare(page: Page, one: Buffer, other: Buffer): Promise<number> {
  return page.evaluate(
    async ({ sources, block, tolerance }) => {
      const read = async (source: string) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = new OffscreenCanvas(Math.ceil(image.width / block), Math.ceil(image.height / block));
        const context = canvas.getContext("2d");
        if (!context) throw new Error("no canvas");
        context.imageSmoothingQuality = "high";
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        return context.getImageData(0, 0, canvas.width, canvas.height).data;
      };
      const [a, b] = await Promise.all(sources.map(read));
      if (!a || !b || a.length !== b.length) return 1;
      let differing = 0;
      for (let at = 0; at < a.length; at += 4) {
        if ([0, 1, 2].some((c) => Math.abs((a[at + c] ?? 0) - (b[at + c] ?? 0)) > tolerance)) differing += 1;
      }
      return differing / (a.length / 4);
    },
    {
      sources: [one, other].map((webp) => `data:image/webp;base64,${webp.toString("base64")}`),
      block: BLOCK,
      tolerance: CHANNEL_TOLERANCE,
    },
  );
}
