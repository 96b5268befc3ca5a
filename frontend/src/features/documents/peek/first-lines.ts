const MOST_CHARACTERS = 900;
const TABLE_RULE = /^\s*\|?[\s:|-]*-{3,}[\s:|-]*$/;

/** Return the beginning of a page as plain lines, without the marks of Markdown. */
export function firstLines(text: string): string {
  const lines = text
    .slice(0, MOST_CHARACTERS * 2)
    .split("\n")
    .filter((line) => !TABLE_RULE.test(line))
    .map((line) =>
      line
        .replace(/^#{1,6}\s+/, "")
        .replace(/^\s*\|\s*|\s*\|\s*$/g, "")
        .replace(/\s*[|\t]\s*/g, " · ")
        .replaceAll("**", ""),
    );
  const plain = lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS).trimEnd()}…` : plain;
}
