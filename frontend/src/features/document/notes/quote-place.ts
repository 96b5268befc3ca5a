import type { components } from "@/lib/api/schema";

type PageText = Pick<components["schemas"]["PageResponse"], "text" | "char_start">;

/** The letters and digits of a text, each with the code point it is from. Layouts differ in everything else. */
function lettersOf(text: string): { letters: string[]; at: number[] } {
  const letters: string[] = [];
  const at: number[] = [];
  for (const [index, character] of Array.from(text).entries()) {
    for (const letter of character.normalize("NFKC").toLowerCase()) {
      if (!/[\p{L}\p{N}]/u.test(letter)) continue;
      letters.push(letter);
      at.push(index);
    }
  }
  return { letters, at };
}

/**
 * Return the characters of selected words in a document, or null if the page does not have them. Of several places, the
 * one after as many letters as stand `before` the selection on the screen, and a `share` of the text before that.
 */
export function placeOfQuote(
  selected: string,
  before: string,
  { text, char_start }: PageText,
  share = 0,
): { start: number; end: number } | null {
  const page = lettersOf(text);
  const quote = lettersOf(selected).letters.join("");
  if (quote === "") return null;
  const all = page.letters.join("");
  const expected = share * page.letters.length + lettersOf(before).letters.length;
  let best = -1;
  for (let found = all.indexOf(quote); found >= 0; found = all.indexOf(quote, found + 1)) {
    if (best < 0 || Math.abs(found - expected) < Math.abs(best - expected)) best = found;
  }
  // `indexOf` counts UTF-16 units, `at` has one entry for each letter
  const first = Array.from(all.slice(0, best)).length;
  const [start, last] = [page.at[first], page.at[first + Array.from(quote).length - 1]];
  if (best < 0 || start === undefined || last === undefined) return null;
  const closing = /[^\p{L}\p{N}\s]*$/u.exec(selected.trimEnd())?.[0] ?? "";
  const rest = Array.from(text).slice(last + 1);
  const end = last + 1 + (closing && rest.join("").startsWith(closing) ? Array.from(closing).length : 0);
  return { start: char_start + start, end: char_start + end };
}
