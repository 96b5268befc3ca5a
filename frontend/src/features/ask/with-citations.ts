import type { AnswerResponse } from "./answer-stream";

type Copied = Pick<AnswerResponse["data"], "question" | "sentences" | "citations">;

/** An answer as text to paste: its sentences with their numbers, and below what each number stands for. */
export function withCitations({ question, sentences, citations }: Copied): string {
  const answer = sentences
    .map(({ text, citations: numbers }) => `${text}${numbers.map((number) => ` [${number}]`).join("")}`)
    .join(" ");
  const sources = citations.map(
    ({ number, title, document, page_number, snippet, basis }) =>
      `[${number}] ${title ?? document} (${document}), p. ${page_number}${basis === "image" ? "" : `: “${snippet.trim().replaceAll(/\s+/g, " ")}”`}`,
  );
  return [question, answer, sources.join("\n")].join("\n\n");
}
