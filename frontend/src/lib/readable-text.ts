// A shorter line ends for another reason: it is a heading, an item of a list or a row of a table.
const SHORTEST_WRAPPED = 40;
// A tab in the second line makes that a row of cells, which begins a line of its own.
const WRAPPED = new RegExp(`(?<=[^\\n]{${SHORTEST_WRAPPED - 1}}[^\\n.:;!?-])\\n(?=\\p{Ll}[^\\n\\t]*(?:\\n|$))`, "gu");

/** The first line of a passage may be the end of one that was cut, where it does not end in a figure as rows do. */
const WRAPPED_CUT = /(?<=^[^\n]*\p{L})\n(?=\p{Ll}[^\n\t]*(?:\n|$))/u;

/** A figure, but not the number of a heading or an item. */
const FIGURE = "\\d+(?![\\d.)]*\\s+\\p{Lu})";

// A long line with the end of a sentence inside is prose, and goes on with a name, a date or a figure too.
const WRAPPED_PROSE = new RegExp(
  `(?<=^(?=[^\\n]{${SHORTEST_WRAPPED}})[^\\n\\t]*\\p{Ll}{3}\\. \\p{Lu}[^\\n\\t]*[^\\n\\t.:;!?-])\\n(?=(?:\\p{L}|${FIGURE})[^\\n\\t]*(?:\\n|$))`,
  "gmu",
);

// So does a line as long as those of a page. One that ends in a figure may be a row.
const WRAPPED_AT_PAGE = new RegExp(
  `(?<=^[^\\n\\t]{74,}[^\\n\\t.:;!?\\d-])\\n(?=(?:[\\p{L}"“«(]|${FIGURE})[^\\n\\t]*(?:\\n|$))`,
  "gmu",
);

/** The line below the header of a Markdown table. */
const TABLE_RULE = /\n?^\|(?: *:?-+:? *\|)+$/gm;
/** A row of it, also one that was cut. */
const TABLE_ROW = /^\| .*$|^.* \| *$/gm;

/** The mark of a Markdown heading. */
const HEADING_MARK = /^#{1,6} (?=\S)/gm;
/** Stands for a character that is not shown. No text of a document has it. */
const HIDDEN = "\0";

const CELL_SEPARATOR = " · ";

const LIST_MARK = "^\\s*(?:[•·▪●○◦‣*–—-]|\\(?(?:\\d{1,3}|\\p{L}|[ivx]{2,5})[.)])";
const LIST_ITEM = new RegExp(`${LIST_MARK}[\\t ]`, "u");
const TAB_OF_ITEM = new RegExp(`(?<=${LIST_MARK})\\t`, "gmu");

/** Return true if a line begins with a bullet or a number of a list. */
export const isListItem = (line: string): boolean => LIST_ITEM.test(line);

/** Return true if a readable line is a row of a table. */
export const isReadableRow = (line: string): boolean => line.includes(CELL_SEPARATOR) && !isListItem(line);

/** Put a blank in place of each break at which prose was wrapped. No character moves. */
export const joinWrappedLines = (text: string): string =>
  text.replace(WRAPPED, " ").replace(WRAPPED_PROSE, " ").replace(WRAPPED_AT_PAGE, " ");

/**
 * The characters of a passage as it is read: where a page broke a sentence into lines, a blank stands for the break, and
 * dots part the cells of a table. Marks of headings are empty. Each element stands for one code point, as the API counts them, and may be longer than
 * that. What shows it collapses blanks.
 */
export function readableCharacters(text: string): string[] {
  const unmarked = text.replace(HEADING_MARK, (mark) => HIDDEN.repeat(mark.length));
  const rows = unmarked.replace(TABLE_RULE, (rule) => " ".repeat(rule.length)).replace(TABLE_ROW, asPlainRow);
  const plain = joinWrappedLines(rows.replace(WRAPPED_CUT, " ")).replace(TAB_OF_ITEM, " ");
  const shown = new Map([
    ["\t", CELL_SEPARATOR],
    [HIDDEN, ""],
  ]);
  return Array.from(plain, (character) => shown.get(character) ?? character);
}

/** A text as it is read, where nothing counts its characters. */
export const readableText = (text: string): string => readableCharacters(text).join("");

/** A quotation in one line, to paste: dots part its cells. */
export const quotedInOneLine = (text: string): string => readableText(text).replaceAll(/\s+/g, " ").trim();

const asPlainRow = (row: string) =>
  row
    .replace(/^\||(?<!\\)\|(?= *$)/g, " ")
    .replace(/(?<!\\)\|/g, "·")
    .replaceAll("\\|", " |");
