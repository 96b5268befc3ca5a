export interface Example {
  title: string;
  /** A heading of the document. */
  heading: string;
}

interface Outlined {
  title: string | null;
  headings: readonly { title: string }[];
}

const SHOWN = 4;
const NUMBERING = /^(?:\d+(?:\.\d+)*[.)]?|[a-z]\)|[ivx]+[.)])\s+/i;
const LONGEST = 60;

/** Return examples from documents: the heading of each that tells the most, and each title once. */
export function toExamples(documents: readonly Outlined[]): Example[] {
  const found = new Map<string, Example>();
  for (const { title, headings } of documents) {
    if (!title || title.length > LONGEST * 2 || found.has(title)) continue;
    const heading = bestHeading(title, headings);
    if (heading) found.set(title, { title, heading });
  }
  return [...found.values()].slice(0, SHOWN);
}

/** A question comes first, then the heading with the most words that is short enough for a line. */
function bestHeading(documentTitle: string, headings: Outlined["headings"]): string | undefined {
  const candidates = headings
    .map(({ title }) => title.replace(NUMBERING, "").trim())
    .filter((title) => title.length <= LONGEST && title.includes(" ") && !isSame(title, documentTitle));
  return candidates.find((title) => title.endsWith("?")) ?? candidates.toSorted((a, b) => words(b) - words(a))[0];
}

const words = (text: string) => text.split(/\s+/).length;
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
