import type { Paragraph, RootContent, Table, TableCell, Text } from "mdast";
import { isListItem } from "@/lib/readable-text";
import { positionOf, rangeOf, toText } from "./text-nodes";

declare module "mdast" {
  interface TableData {
    /** The rows are lines of text whose tabs separate cells. No row is known to be the header. */
    isOfLines?: boolean;
  }
}

interface Line {
  text: Text;
  /** Empty if the line is not a row. */
  cells: Text[];
}

/** A heading inside a table, or a row with a missing cell, does not end the table. */
const MOST_OTHER_LINES = 2;
/** The sign of a currency is a part of the sum behind it. */
const CELL = /(?:\p{Sc}[ \t]*\t)?[^\t]+/gu;
/** A tab at the beginning of a line indents it. */
const ROW = /^[^\t]*\S[^\t]*\t+[^\t]*\S/;
const FIGURE = /^[^\p{L}]*\p{N}[^\p{L}]*$|^\p{Pd}$/u;

export const isFigure = (text: string): boolean => FIGURE.test(text.trim());

/** Split a paragraph into tables and the text between them. Tabs separate the cells of a line. */
export function splitCellRows(paragraph: string, offset: number): RootContent[] {
  const lines = toLines(paragraph, offset);
  const blocks: RootContent[] = [];
  let rest: Line[] = [];
  for (let first = 0; first < lines.length; ) {
    const end = endOfTable(lines, first);
    if (end > first) {
      if (rest.length > 0) blocks.push(toParagraph(rest));
      rest = [];
      blocks.push(toTable(lines.slice(first, end)));
    } else rest.push(...lines.slice(first, first + 1));
    first = Math.max(end, first + 1);
  }
  if (rest.length > 0) blocks.push(toParagraph(rest));
  return blocks;
}

/** Return the end of the table that begins at a line, which is the line itself if none does. */
function endOfTable(lines: Line[], first: number): number {
  const cells = lines[first]?.cells.length ?? 0;
  if (cells === 0) return first;
  let end = first + 1;
  let rows = 1;
  for (let at = end; at < lines.length && at - end <= MOST_OTHER_LINES; at += 1) {
    if (lines[at]?.cells.length !== cells) continue;
    if (at > end && (rows === 1 || kindsOf(lines[at]) !== kindsOf(lines[end - 1]))) break;
    end = at + 1;
    rows += 1;
  }
  return rows >= (cells > 2 ? 2 : 3) ? end : first; // the head and the foot of a page are often two rows of two
}

/** Which cells are figures. The header of the next table differs in that from the rows before it. */
const kindsOf = (line: Line | undefined) =>
  line?.cells
    .slice(1)
    .map(({ value }) => isFigure(value))
    .join();

/** The tab of an item is behind its bullet or number. */
const isMarkedItem = (line: string) => isListItem(line) && line.trim().split(/\t+/).length === 2;

/** Return true if tabs separate cells in a text, or indent its lines. */
export const hasCells = (text: string): boolean =>
  text.split("\n").some((line) => line.includes("\t") && !isMarkedItem(line));

function toLines(paragraph: string, offset: number): Line[] {
  let start = offset;
  return paragraph.split("\n").map((value) => {
    const isRow = ROW.test(value) && !isMarkedItem(value);
    const cells = isRow ? [...value.matchAll(CELL)].map((cell) => toText(cell[0], start + cell.index)) : [];
    const line = { text: toText(value, start), cells };
    start += value.length + 1;
    return line;
  });
}

/** A line with another number of cells goes across the table: nothing says below which column its cells belong. */
function toTable(lines: Line[]): Table {
  const children = lines.map(({ text, cells }) => ({
    type: "tableRow" as const,
    position: text.position,
    children: (cells.length === lines[0]?.cells.length ? cells : [text]).map(toCell),
  }));
  return { type: "table", data: { isOfLines: true }, position: positionOfAll(lines), children };
}

const toCell = (text: Text): TableCell => ({ type: "tableCell", position: text.position, children: [text] });

const toParagraph = (lines: Line[]): Paragraph => {
  const value = lines.map(({ text }) => text.value).join("\n");
  const position = positionOfAll(lines);
  return { type: "paragraph", position, children: [{ type: "text", value, position }] };
};

function positionOfAll(lines: Line[]) {
  const ranges = lines.map(({ text }) => rangeOf(text));
  const start = ranges[0]?.start ?? 0;
  return positionOf(start, (ranges.at(-1)?.end ?? start) - start);
}
