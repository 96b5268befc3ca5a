import { loadCode } from "@/lib/load-code";

type Details = Record<string, unknown>;

let speaker: ((code: string, details: Details) => string | null) | null = null;
let isAsked = false;

/** Which limit a failure passed, as a sentence; its words come with the first failure that has numbers. */
export function sayNumbers(code: string, details: Details | null | undefined): string | null {
  if (!details) return null;
  if (!isAsked) {
    isAsked = true;
    loadWords().catch((error) => reportError(error));
  }
  return speaker?.(code, details) ?? null;
}

async function loadWords() {
  const { say, addWords } = await loadCode(() => import("./failure-numbers"));
  speaker = say;
  addWords();
}
