import { readFileSync } from "node:fs";
import { waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { i18n } from "@/lib/i18n/i18n";
import { failureWords } from "./document-status";
import en from "./failure-numbers.en.json";
import italian from "./failure-numbers.it.json";

// a test of the API holds this page against the code
const REFERENCE = readFileSync(`${import.meta.dirname}/../../../../docs/reference/errors.md`, "utf-8");
const known = Object.fromEntries(
  [...REFERENCE.matchAll(/^\| (\w+) \| (`.*`) \|$/gm)].map(([, code, names]) => [
    code,
    [...String(names).matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ]),
);
const namesOf = (sentences: string[]) =>
  sentences.map((sentence) => [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort());

const said = async (code: string, details: Record<string, unknown> | null) => {
  await waitFor(() => expect(i18n.hasResourceBundle("en", "failures")).toBe(true));
  return failureWords({ code, details }, i18n.t).detail;
};

afterEach(() => i18n.changeLanguage("en"));

describe("the numbers of a failure", () => {
  it("have sentences with the same values in both languages", () => {
    expect(Object.keys(italian)).toEqual(Object.keys(en));
    for (const [code, sentences] of Object.entries(en)) {
      expect(namesOf(italian[code as keyof typeof en])).toEqual(namesOf(sentences));
    }
  });

  it("are those that the API's reference lists, each of which is said by a sentence", () => {
    expect(Object.keys(en).sort()).toEqual(Object.keys(known).sort());
    for (const [code, sentences] of Object.entries(en)) {
      expect([...new Set(namesOf(sentences).flat())].sort()).toEqual(known[code]?.toSorted());
    }
  });

  it("come with the first failure that has some, and are drawn then", async () => {
    let redrawn = 0;
    i18n.store.on("added", () => {
      redrawn += 1;
    });
    const before = failureWords({ code: "too_large", details: { max_lines: 5 } }, i18n.t);
    expect(before.detail).toBe("Split it into smaller files.");
    expect(await said("too_large", { page_count: 2412, max_pages: 2000 })).toBe(
      "It has 2,412 pages; the limit is 2,000. Split it into smaller files.",
    );
    expect(redrawn).toBeGreaterThan(0);
  });

  it("are said in Italian, as a person writes them", async () => {
    await i18n.changeLanguage("it");
    i18n.addResource("it", "translation", "documents.failure.timed_out.remedy", "Dividilo.");
    expect(await said("timed_out", { max_seconds: 60 })).toBe("La lettura è durata più di 60 s. Dividilo.");
    expect(await said("timed_out", { max_seconds: 60, pages_read: 12, page_count: 3000 })).toBe(
      "La lettura è durata più di 60 s; era arrivata alla pagina 12 di 3000. Dividilo.",
    );
    expect(await said("too_large", { page_number: 7, max_memory_bytes: 1_073_741_824 })).toContain("1,1 GB");
  });

  it("are left out of what failed before they were kept", async () => {
    expect(await said("timed_out", null)).toMatch(/^Split it/);
    expect(await said("timed_out", { of_tomorrow: 1 })).toMatch(/^Split it/);
  });
});
