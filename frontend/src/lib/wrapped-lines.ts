// A shorter line ends for another reason: it is a heading, an item of a list or a row of a table.
const SHORTEST_WRAPPED = 40;
// The first line may be the end of one that was cut, where it does not end in a figure as rows do.
const WRAPPED = new RegExp(`(?<=^[^\\n]*\\p{L}|[^\\n]{${SHORTEST_WRAPPED - 1}}[^\\n.:;!?-])\\n(?=\\p{Ll})`, "gu");

/**
 * Text as it is read in a column of another width: where a page broke a sentence into lines, a blank stands for the
 * break. No character moves.
 */
export function joinWrappedLines(text: string): string {
  return text.replace(WRAPPED, " ");
}
