import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { i18n } from "@/lib/i18n/i18n";
import sentencesByCode from "@/locales/en/failures.json";
import { failureWords } from "./document-status";

// a test of the API holds this page against the code
const REFERENCE = readFileSync(`${import.meta.dirname}/../../../../../docs/reference/errors.md`, "utf-8");
const detailsByCode = Object.fromEntries(
  [...REFERENCE.matchAll(/^\| (\w+) \| (`.*`) \|$/gm)].map(([, code, names]) => [
    code,
    [...String(names).matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ]),
);
const namesIn = (sentences: string[]) => [
  ...new Set(sentences.flatMap((sentence) => [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name))),
];

const detailOf = (code: string, details: Record<string, unknown> | null) =>
  failureWords({ code, details }, i18n.t).detail;

afterEach(() => i18n.changeLanguage("en"));

describe("the details of a failure", () => {
  it("are those of the API's reference, and a sentence says each", () => {
    expect(Object.keys(sentencesByCode).sort()).toEqual(Object.keys(detailsByCode).sort());
    for (const [code, sentences] of Object.entries(sentencesByCode)) {
      expect(namesIn(sentences).sort()).toEqual(detailsByCode[code]?.toSorted());
    }
  });

  it("come before the remedy", () => {
    expect(detailOf("too_large", { page_count: 2412, max_pages: 2000 })).toBe(
      "The file has 2,412 pages. The limit is 2,000. Split it into smaller files.",
    );
  });

  it("are in Italian, as a person writes them", async () => {
    await i18n.changeLanguage("it");
    expect(detailOf("timed_out", { max_seconds: 60 })).toMatch(/^L'elaborazione ha superato 60 s\. /);
    expect(detailOf("timed_out", { max_seconds: 60, pages_read: 12, page_count: 3000 })).toMatch(
      /^L'elaborazione ha superato 60 s\. Era arrivata alla pagina 12 di 3000\. /,
    );
    expect(detailOf("too_large", { page_number: 7, max_memory_bytes: 1_073_741_824 })).toContain("1,1 GB");
  });

  it("are left out when the failure has none, or none that is known", () => {
    expect(detailOf("timed_out", null)).toMatch(/^Split it/);
    expect(detailOf("timed_out", { of_tomorrow: 1 })).toMatch(/^Split it/);
  });
});
