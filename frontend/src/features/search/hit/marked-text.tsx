import { isListItem, isReadableRow, readableCharacters } from "@/lib/readable-text";
import classes from "./marked-text.module.css";

interface Characters {
  start: number;
  end: number;
}

interface MarkedTextProps {
  text: string;
  matches: Characters[];
  sentence?: Characters | null;
}

/**
 * Text with its matched terms marked, what stands around the sentence that matters stepping back. Offsets count code
 * points, as the API counts them.
 */
export function MarkedText({ text, matches, sentence }: MarkedTextProps) {
  return (
    <>
      {splitByMatches(readableCharacters(text), matches, sentence).map((part) => (
        <span key={part.start} className={part.isAside ? classes.aside : undefined}>
          {part.isMatch ? <mark>{part.text}</mark> : part.text}
        </span>
      ))}
    </>
  );
}

export function splitByMatches(text: string[], matches: Characters[], sentence?: Characters | null) {
  const characters = withoutWraps(text, sentence);
  const marked = apart(matches);
  const edges = [...marked, ...(sentence ? [sentence] : [])].flatMap((range) => [range.start, range.end]);
  const starts = [...new Set([0, ...edges])].filter((edge) => edge < characters.length).sort((a, b) => a - b);
  return starts.map((start, number) => ({
    start,
    text: characters.slice(start, starts[number + 1]).join(""),
    isMatch: marked.some((match) => match.start <= start && start < match.end),
    isAside: sentence ? start < sentence.start || start >= sentence.end : false,
  }));
}

/** A line that ends within a sentence was wrapped where the page ended. Rows and items begin lines of their own. */
function withoutWraps(characters: string[], sentence: Characters | null | undefined): string[] {
  if (!sentence) return characters;
  const lines = characters.join("").split("\n");
  let number = 0;
  return characters.map((character, place) => {
    if (character !== "\n") return character;
    const [line = "", next = ""] = lines.slice(number, number + 2);
    number += 1;
    const isWithin = sentence.start < place && place < sentence.end - 1;
    return isWithin && !isReadableRow(line) && !isReadableRow(next) && !isListItem(next) ? " " : character;
  });
}

/** Matches in their order, none reaching into the next: what two of them share is the first one's. */
function apart(matches: Characters[]): Characters[] {
  let position = 0;
  return [...matches]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end }) => {
      const own = { start: Math.max(start, position), end };
      position = Math.max(position, end);
      return own;
    })
    .filter(({ start, end }) => start < end);
}
