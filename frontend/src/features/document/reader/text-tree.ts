import type { RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";

export interface Range {
  start: number;
  end: number;
}

const PARAGRAPH = /.*\S.*(?:\n.*\S.*)*/g;

/** Parse a page of text into blocks. Positions are offsets in the string. */
export function parseText(text: string, { isMarkdown }: { isMarkdown: boolean }): RootContent[] {
  if (!isMarkdown) return [...text.matchAll(PARAGRAPH)].map(toParagraph);
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }).children;
}

/** Plain text keeps its lines and its characters. */
function toParagraph({ 0: value, index }: RegExpExecArray): RootContent {
  const point = (offset: number) => ({ line: 1, column: 1, offset });
  const position = { start: point(index), end: point(index + value.length) };
  return { type: "paragraph", position, children: [{ type: "text", value, position }] };
}

export function rangeOf({ position }: RootContent): Range {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}

/** The API counts code points, strings count UTF-16 units: return a function from the first to the second. */
export function codePointOffsets(text: string): (codePoint: number) => number {
  const offsets: number[] = [];
  let offset = 0;
  for (const character of text) {
    offsets.push(offset);
    offset += character.length;
  }
  return (codePoint) => offsets[codePoint] ?? (codePoint < 0 ? 0 : text.length);
}
