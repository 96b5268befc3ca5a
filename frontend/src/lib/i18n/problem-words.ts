import type { ProblemDetails } from "@/lib/api/problem";
import { i18n } from "./i18n";

/** A problem in one language; null for a code that it has no words for. */
export type Speaker = (problem: ProblemDetails) => string | null;

const speakers = new Map<string, Speaker>();

/** Let problems be said in `language`. English needs nobody: the API's own sentences are English. */
export function addSpeaker(language: string, speaker: Speaker): void {
  speakers.set(language, speaker);
}

/** What went wrong and what helps, in the person's language; in the API's own words where it has none for the code. */
export function problemText(problem: ProblemDetails): string {
  const said =
    speakers.get(i18n.language)?.(problem) ?? [problem.detail, problem.hint].filter(Boolean).join(" ");
  return said || i18n.t("errors.unexpected", { status: problem.status });
}
