import { Fragment } from "react";

interface Match {
  start: number;
  end: number;
}

/** Text with its matched terms marked. Offsets count code points, as the API counts them. */
export function MarkedText({ text, matches }: { text: string; matches: Match[] }) {
  return (
    <>
      {splitByMatches(text, matches).map((part) =>
        part.isMatch ? (
          <mark key={part.start}>{part.text}</mark>
        ) : (
          <Fragment key={part.start}>{part.text}</Fragment>
        ),
      )}
    </>
  );
}

export function splitByMatches(text: string, matches: Match[]) {
  const characters = Array.from(text);
  const parts: { text: string; isMatch: boolean; start: number }[] = [];
  let position = 0;
  const push = (end: number, isMatch: boolean) => {
    if (end > position) {
      parts.push({ text: characters.slice(position, end).join(""), isMatch, start: position });
      position = end;
    }
  };
  for (const match of [...matches].sort((a, b) => a.start - b.start)) {
    push(Math.max(match.start, position), false);
    push(Math.min(match.end, characters.length), true);
  }
  push(characters.length, false);
  return parts;
}
