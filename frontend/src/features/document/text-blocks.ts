export type BlockKind = "paragraph" | "heading" | "item" | "quote" | "code" | "row" | "rule";

/** A line or paragraph of a text document. Offsets count code points from the beginning of the page's text. */
export interface TextBlock {
  kind: BlockKind;
  level: number;
  start: number;
  end: number;
  /** The cells of a row of a table; the first row of a table is its head. */
  cells?: { start: number; end: number }[];
}

const HEADING = /^(#{1,6})\s+/;
const ITEM = /^(\s*)(?:[-*+]|\d{1,4}[.)])\s+/;
const QUOTE = /^\s*>\s?/;
const FENCE = /^\s*(```|~~~)/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const DIVIDER = /^\s*\|?(\s*:?-+:?\s*\|)+\s*:?-*:?\s*$/;

const lengthOf = (text: string) => Array.from(text).length;

/** Markdown as blocks that are drawn one after another: what was written stays countable, so passages can be marked. */
export function markdownBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let start = 0;
  let isCode = false;
  let isOpen = false;
  for (const line of text.split("\n")) {
    const length = lengthOf(line);
    const end = start + length;
    const last = blocks.at(-1);
    if (FENCE.test(line)) {
      isCode = !isCode;
      isOpen = false;
    } else if (isCode) {
      if (isOpen && last) last.end = end;
      else blocks.push({ kind: "code", level: 0, start, end });
      isOpen = true;
    } else if (line.trim() === "" || DIVIDER.test(line)) {
      isOpen = false;
    } else {
      const block = blockOf(line, start, end);
      // The lines of a paragraph and the lines that go on an item flow together.
      if (
        block.kind === "paragraph" &&
        isOpen &&
        last &&
        ["paragraph", "item", "quote"].includes(last.kind)
      ) {
        last.end = end;
      } else blocks.push(block);
      isOpen = block.kind !== "heading" && block.kind !== "row" && block.kind !== "rule";
    }
    start = end + 1;
  }
  return blocks;
}

function blockOf(line: string, start: number, end: number): TextBlock {
  const heading = HEADING.exec(line);
  if (heading)
    return { kind: "heading", level: heading[1]?.length ?? 1, start: start + heading[0].length, end };
  if (RULE.test(line)) return { kind: "rule", level: 0, start, end };
  const item = ITEM.exec(line);
  if (item) return { kind: "item", level: Math.floor((item[1]?.length ?? 0) / 2), start, end };
  const quote = QUOTE.exec(line);
  if (quote) return { kind: "quote", level: 0, start: start + quote[0].length, end };
  if (line.trimStart().startsWith("|"))
    return { kind: "row", level: 0, start, end, cells: cellsOf(line, start) };
  return { kind: "paragraph", level: 0, start, end };
}

function cellsOf(line: string, start: number): { start: number; end: number }[] {
  const characters = Array.from(line);
  const borders = characters.flatMap((character, index) =>
    character === "|" && characters[index - 1] !== "\\" ? [index] : [],
  );
  const ends = borders.slice(1);
  if (characters.slice((borders.at(-1) ?? 0) + 1).some((character) => character.trim() !== "")) {
    ends.push(characters.length);
  }
  return ends.map((end, index) => {
    const from = (borders[index] ?? 0) + 1;
    const cell = characters.slice(from, end);
    const blanks = cell.findIndex((character) => character.trim() !== "");
    const text = cell.join("").trim();
    const first = from + Math.max(blanks, 0);
    return { start: start + first, end: start + first + lengthOf(text) };
  });
}

/** Plain text as paragraphs; their lines stay as they are. */
export function plainBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let start = 0;
  let isOpen = false;
  for (const line of text.split("\n")) {
    const end = start + lengthOf(line);
    const last = blocks.at(-1);
    if (line.trim() === "") isOpen = false;
    else if (isOpen && last) last.end = end;
    else {
      blocks.push({ kind: "paragraph", level: 0, start, end });
      isOpen = true;
    }
    start = end + 1;
  }
  return blocks;
}

/** Rows that follow each other, as one table. */
export function groupRows(blocks: TextBlock[]): (TextBlock | TextBlock[])[] {
  const groups: (TextBlock | TextBlock[])[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.kind !== "row") groups.push(block);
    else if (Array.isArray(last)) last.push(block);
    else groups.push([block]);
  }
  return groups;
}
