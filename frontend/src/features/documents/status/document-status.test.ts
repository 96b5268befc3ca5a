import { beforeAll, describe, expect, it } from "vitest";
import { CONTENT_TYPES } from "@/features/documents/documents-search";
import { documentOf } from "@/features/events/test-samples";
import { i18n } from "@/lib/i18n/i18n";
import { type Document, statusWords, typeExtension } from "./document-status";

beforeAll(() => i18n.changeLanguage("en"));

const words = (given: Partial<Document>) => statusWords(documentOf(given), i18n.t);
const progress = (given: Partial<NonNullable<Document["progress"]>>): NonNullable<Document["progress"]> => ({
  job_id: "j1",
  kind: "ingest",
  state: "running",
  share: 0,
  stage: null,
  page: null,
  page_count: null,
  chunks_embedded: null,
  chunks_to_embed: null,
  version: null,
  chunks_unchanged: null,
  chunks_added: null,
  chunks_removed: null,
  error: null,
  attempts: 1,
  max_attempts: 3,
  next_try_at: null,
  started_at: null,
  finished_at: null,
  ...given,
});
const processing = (given: Parameters<typeof progress>[0]): Partial<Document> => ({
  status: "processing",
  keyword_ready_at: null,
  progress: progress(given),
});

describe("the words for where a document stands", () => {
  it("name the page that is read", () => {
    expect(words(processing({ stage: "extract", page: 12, page_count: 80, share: 0.03 }))).toEqual({
      tone: "working",
      label: "Extracting page 12 of 80",
      share: 0.03,
      remedy: "none",
    });
  });

  it("do not invent a page before one is known", () => {
    expect(words(processing({ stage: "extract" })).label).toBe("Extracting text");
  });

  it("say that keywords find it while its meaning is still embedded, and never 100 % too early", () => {
    const document = { ...processing({ stage: "embed", chunks_embedded: 999, chunks_to_embed: 1_000 }) };
    expect(words({ ...document, keyword_ready_at: "2026-11-20T10:00:00Z" })).toMatchObject({
      label: "Indexing meaning 99%",
      detail: "Already searchable by keyword",
    });
    const last = processing({ stage: "embed", chunks_embedded: 1_000, chunks_to_embed: 1_000 });
    expect(words(last).label).toBe("Indexing meaning 99%");
  });

  it("tell of a pause, and when the next try is", () => {
    const waiting = processing({ state: "queued", attempts: 2, next_try_at: "2026-11-20T10:05:00" });
    expect(words(waiting)).toMatchObject({ tone: "waiting", label: "Waiting to retry" });
    expect(words(waiting).detail).toMatch(/10:05.*2/);
  });

  it("name pages that cannot be read in a document that is ready", () => {
    expect(words({ unreadable_page_count: 1 }).detail).toBe("1 unreadable page");
    expect(words({ unreadable_page_count: 3 }).detail).toBe("3 unreadable pages");
    expect(words({})).toEqual({ tone: "ready", label: "Ready", remedy: "none" });
  });

  it.each([
    ["encrypted", "Password-protected", "password"],
    ["no_text", "No text found", "none"],
    ["empty", "The file is empty", "none"],
    ["cancelled", "Cancelled", "retry"],
    ["crashed_worker", "Processing crashed", "retry"],
  ] as const)("say what to do about %s", (code, label, remedy) => {
    const failed = words({ status: "failed", error: { code, message: "m", hint: "h", details: null } });
    expect(failed).toMatchObject({ tone: "failed", label, remedy });
    expect(failed.detail).not.toBe("");
  });

  it("tell of an unknown failure in the API's own words", () => {
    const failed = words({
      status: "failed",
      error: { code: "database_full", message: "No space.", hint: "Free some.", details: null },
    });
    expect(failed).toEqual({
      tone: "failed",
      label: "Failed",
      detail: "No space. Free some.",
      remedy: "retry",
    });
  });
});

describe("the short name of a type", () => {
  it("fits into a column", () => {
    const names = CONTENT_TYPES.map(typeExtension);
    expect(new Set(names).size).toBe(CONTENT_TYPES.length);
    expect(names.filter((name) => !/^[A-Z]{2,4}$/.test(name))).toEqual([]);
  });
});
