import classes from "./marked-text.module.css";

interface Range {
  start: number;
  end: number;
}

interface MarkedTextProps {
  text: string;
  matches: Range[];
  sentence?: Range | null;
}

/**
 * Text with its matched terms marked, what stands around the sentence that matters stepping back. Offsets count code
 * points, as the API counts them.
 */
export function MarkedText({ text, matches, sentence }: MarkedTextProps) {
  return (
    <>
      {splitByMatches(text, matches, sentence).map((part) => (
        <span key={part.start} className={part.isAside ? classes.aside : undefined}>
          {part.isMatch ? <mark>{part.text}</mark> : part.text}
        </span>
      ))}
    </>
  );
}

export function splitByMatches(text: string, matches: Range[], sentence?: Range | null) {
  const characters = Array.from(text);
  const isMatched = (place: number) => matches.some((match) => match.start <= place && place < match.end);
  const edges = [...matches, ...(sentence ? [sentence] : [])]
    .flatMap((range) => [range.start, range.end])
    .filter((edge) => edge > 0 && edge < characters.length);
  const starts = [...new Set([0, ...edges])].sort((a, b) => a - b);
  return starts
    .map((start, number) => ({
      start,
      text: characters.slice(start, starts[number + 1]).join(""),
      isMatch: isMatched(start),
      isAside: sentence ? start < sentence.start || start >= sentence.end : false,
    }))
    .filter((part) => part.text);
}
