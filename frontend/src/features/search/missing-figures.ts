import type { Hit } from "./use-search";

/** A word with a digit: a figure or an identifier. Signs around it do not count. */
const FIGURE = /[^\s"'“”«»()[\]{}?!;:]*\d[^\s"'“”«»()[\]{}?!;:]*/g;

/** Shorter ones, such as the number of a page, are rarely what is looked for. */
const LEAST_CHARACTERS = 3;

const bare = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Return the figures and identifiers of a query that none of the hits contains. */
export function missingFigures(query: string, hits: readonly Pick<Hit, "text" | "title" | "document">[]): string[] {
  if (hits.length === 0) return [];
  const texts = hits.map(({ text, title, document }) => bare(`${title ?? ""} ${document} ${text}`));
  const figures = [...query.matchAll(FIGURE)].map(([figure]) => figure.replace(/[.,]+$/, ""));
  const wanted = [...new Set(figures)].filter((figure) => bare(figure).length >= LEAST_CHARACTERS);
  return wanted.filter((figure) => !texts.some((text) => text.includes(bare(figure))));
}
