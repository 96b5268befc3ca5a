// A shorter line ends for another reason: it is a heading, an item of a list or a row of a table.
const SHORTEST_WRAPPED = 40;
// The first line may be the end of one that was cut, where it does not end in a figure as rows do.
const WRAPPED = new RegExp(`(?<=^[^\\n]*\\p{L}|[^\\n]{${SHORTEST_WRAPPED - 1}}[^\\n.:;!?-])\\n(?=\\p{Ll})`, "gu");

/** The line below the header of a Markdown table. */
const TABLE_RULE = /\n?^\|(?: *:?-+:? *\|)+$/gm;
/** A row of it, also one that was cut. */
const TABLE_ROW = /^\| .*$|^.* \| *$/gm;

/**
 * Text as it is read: where a page broke a sentence into lines, a blank stands for the break, and dots part the cells of
 * a table. No character moves. What shows it collapses blanks.
 */
export function readableText(text: string): string {
  return text
    .replace(TABLE_RULE, (rule) => " ".repeat(rule.length))
    .replace(TABLE_ROW, asPlainRow)
    .replace(WRAPPED, " ");
}

const asPlainRow = (row: string) =>
  row
    .replace(/^\||(?<!\\)\|(?= *$)/g, " ")
    .replace(/(?<!\\)\|/g, "·")
    .replaceAll("\\|", " |");
