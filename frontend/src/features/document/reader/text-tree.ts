import type { Heading, RootContent, TableCell, TableRow, Text } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import { splitCellRows } from "./cell-rows";
import { positionOf, rangeOf, toText } from "./text-nodes";

const PARAGRAPH = /.*\S.*(?:\n.*\S.*)*/g;
const TABLE_START = /^\|.*\|\n\|(?: --- \|)+(?:\n|$)/;
const CELL = /((?:\\.|[^|\\])*)\|/g;

declare module "mdast" {
  interface ParagraphData {
    /** Headers of a message, as names and values in turns, or the names of its attachments. */
    mail?: "headers" | "attachments";
  }
}

/** The headers that the API writes at the beginning of a message. */
export const MAIL_HEADERS = ["From", "To", "Cc", "Date"] as const;
const ATTACHMENTS = "Attachments (listed, not read):";
const MAIL_HEADER = new RegExp(`^(${MAIL_HEADERS.join("|")}): (.*)$`);

export interface TextOptions {
  isMarkdown: boolean;
  isMail?: boolean;
  /** The level of each heading on the page, by its text. Markdown marks its own. */
  headings?: ReadonlyMap<string, number>;
}

const NO_HEADINGS = new Map<string, number>();

/** Parse a page of text into blocks. Positions are offsets in the string. */
export function parseText(
  text: string,
  { isMarkdown, isMail = false, headings = NO_HEADINGS }: TextOptions,
): RootContent[] {
  if (!isMarkdown) {
    const blocks = [...text.matchAll(PARAGRAPH)].flatMap(({ 0: value, index }) => toBlocks(value, index, headings));
    return isMail ? toMessage(blocks, text) : blocks;
  }
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }).children;
}

/** Text keeps its lines and its characters. Only headings and tables are recognised. */
function toBlocks(value: string, offset: number, headings: ReadonlyMap<string, number>): RootContent[] {
  const position = positionOf(offset, value.length);
  if (TABLE_START.test(value)) return [{ type: "table", position, children: toRows(value, offset) }];
  const blocks: RootContent[] = [];
  let start = 0;
  const addLines = (end: number) => {
    if (end > start) blocks.push(...splitCellRows(value.slice(start, end), offset + start));
  };
  // only a blank line parts blocks, and pages have none around their headings
  for (const { 0: line, index } of value.matchAll(/.+/g)) {
    const level = headings.get(line);
    if (level === undefined) continue;
    addLines(index - 1);
    blocks.push(toHeading(line, offset + index, level));
    start = index + line.length + 1;
  }
  addLines(value.length);
  return blocks;
}

function toHeading(value: string, offset: number, level: number): Heading {
  const depth = Math.min(level, 6) as Heading["depth"];
  return { type: "heading", depth, position: positionOf(offset, value.length), children: [toText(value, offset)] };
}

/** Recognise the headers and the attachments of a message. */
function toMessage(blocks: RootContent[], text: string): RootContent[] {
  const source = (block: RootContent) => text.slice(rangeOf(block).start, rangeOf(block).end);
  const header = blocks.findIndex((block) => MAIL_HEADER.test(source(block).split("\n", 1)[0] ?? ""));
  const list = blocks.findLastIndex((block) => source(block) === ATTACHMENTS) + 1;
  return blocks.flatMap((block, index) => {
    if (index === header) return [toMailHeader(block, text)];
    if (list > 0 && index === list - 1 && index + 1 < blocks.length) return [];
    return [list > 0 && index === list ? toAttachments(block, source(block)) : block];
  });
}

function toAttachments(block: RootContent, source: string): RootContent {
  const { start, end } = rangeOf(block);
  const children = [...source.matchAll(/^- (.*)$/gm)].map(({ 1: name = "", index }) => toText(name, start + index + 2));
  return { type: "paragraph", data: { mail: "attachments" }, position: positionOf(start, end - start), children };
}

/** Split the headers of a message into names and values. Any other paragraph stays as it is. */
function toMailHeader(block: RootContent, text: string): RootContent {
  const { start, end } = rangeOf(block);
  const children: Text[] = [];
  let offset = start;
  for (const line of text.slice(start, end).split("\n")) {
    const [, name, value] = MAIL_HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) return block;
    children.push(toText(name, offset), toText(value, offset + line.length - value.length));
    offset += line.length + 1;
  }
  return { type: "paragraph", data: { mail: "headers" }, position: positionOf(start, end - start), children };
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
