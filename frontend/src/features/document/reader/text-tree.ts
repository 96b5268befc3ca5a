import type { Heading, RootContent, TableCell, TableRow, Text } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";

type Position = NonNullable<Text["position"]>;

export interface Range {
  start: number;
  end: number;
}

const PARAGRAPH = /.*\S.*(?:\n.*\S.*)*/g;
const TABLE_START = /^\|.*\|\n\|(?: --- \|)+(?:\n|$)/;
const CELL = /((?:\\.|[^|\\])*)\|/g;

export interface TextOptions {
  isMarkdown: boolean;
  /** The level of each heading on the page, by its text. Markdown marks its own. */
  headings?: ReadonlyMap<string, number>;
}

const NO_HEADINGS = new Map<string, number>();

/** Parse a page of text into blocks. Positions are offsets in the string. */
export function parseText(text: string, { isMarkdown, headings = NO_HEADINGS }: TextOptions): RootContent[] {
  if (!isMarkdown) return [...text.matchAll(PARAGRAPH)].map(({ 0: value, index }) => toBlock(value, index, headings));
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }).children;
}

/** Text keeps its lines and its characters. Only headings and tables are recognised. */
function toBlock(value: string, offset: number, headings: ReadonlyMap<string, number>): RootContent {
  const position = positionOf(offset, value.length);
  if (TABLE_START.test(value)) return { type: "table", position, children: toRows(value, offset) };
  const children: Text[] = [{ type: "text", value, position }];
  const level = headings.get(value);
  if (level === undefined) return { type: "paragraph", position, children };
  return { type: "heading", depth: Math.min(level, 6) as Heading["depth"], position, children };
}

function toRows(value: string, offset: number): TableRow[] {
  const rows: TableRow[] = [];
  let start = offset;
  for (const line of value.split("\n")) {
    rows.push({ type: "tableRow", position: positionOf(start, line.length), children: toCells(line, start) });
    start += line.length + 1;
  }
  return rows.toSpliced(1, 1); // the line of dashes
}

const toCells = (line: string, offset: number): TableCell[] =>
  [...line.slice(1).matchAll(CELL)].map(({ 1: padded = "", index }) => {
    const value = padded.trim();
    const start = offset + 1 + index + padded.indexOf(value);
    const position = positionOf(start, value.length);
    const text: Text = { type: "text", value: value.replaceAll("\\|", "|"), position };
    return { type: "tableCell", position, children: value ? [text] : [] };
  });

function positionOf(start: number, length: number): Position {
  const point = (offset: number) => ({ line: 1, column: 1, offset });
  return { start: point(start), end: point(start + length) };
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
