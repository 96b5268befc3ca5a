import { beforeAll, describe, expect, it } from "vitest";
import { documentOf } from "@/features/events/test-samples";
import { followed, newItem, type UploadItem } from "@/features/uploads/upload-item";
import { i18n } from "@/lib/i18n/i18n";
import { inOrder, isFinal, summary, uploadWords } from "./upload-words";

beforeAll(() => i18n.changeLanguage("en"));

const item = (given: Partial<UploadItem>): UploadItem => ({
  ...newItem(new File(["x"], "a.pdf"), { tags: [] }),
  ...given,
});
const words = (given: Partial<UploadItem>) => uploadWords(item(given), i18n.t);
const ready = followed(documentOf({ status: "ready" }));

describe("the words for an upload", () => {
  it("tell sending from being stored", () => {
    expect(words({ state: "sending", share: 0.5 }).label).toBe("Uploading 50%");
    expect(words({ state: "sending", share: 1 }).label).toBe("Uploaded, saving");
  });

  it("say that a duplicate is here already, and which tags it got", () => {
    expect(words({ state: "kept", document: ready, isDuplicate: true }).note).toBe("Already uploaded");
    expect(words({ state: "kept", document: ready, isDuplicate: true, options: { tags: ["hr", "2026"] } }).note).toBe(
      "Already uploaded. Tags added: hr, 2026",
    );
    expect(words({ state: "kept", document: ready, isRestored: true, isDuplicate: true }).note).toMatch(/trash/);
    expect(words({ state: "kept", document: ready, isNewVersion: true }).note).toBe("Added as a new version");
  });

  it("say that a file that was there is read again in the language that was given with it", () => {
    const given = { tags: ["bank"], language: "it" };
    const again = {
      state: "kept",
      document: ready,
      isDuplicate: true,
      isReread: true,
      options: given,
    } as const;
    expect(words(again).note).toBe("Already uploaded. Tags added: bank · Reprocessing in Italian");
  });

  it("explain refusals, in the API's words where there are none of our own", () => {
    const problem = (code: string) => ({ status: 422, code, title: "", detail: "Said.", hint: "Do." });
    expect(words({ state: "refused", problem: problem("unsupported_type") }).detail).toMatch(/^This file type/);
    expect(words({ state: "refused", problem: problem("unknown_collection") }).detail).toBe("Said. Do.");
    const tooLarge = { ...problem("file_too_large"), max_bytes: 2_000_000 };
    expect(words({ state: "refused", problem: tooLarge }).detail).toMatch(/limit of 2\.0 MB|limit of 2 MB/);
    expect(isFinal(item({ problem: problem("unsupported_type") }))).toBe(true);
    expect(isFinal(item({ problem: problem("empty") }))).toBe(true);
    expect(isFinal(item({ problem: problem("broken_connection") }))).toBe(false);
  });

  it("say how to make a readable file of an archive or an old Office file", () => {
    const problem = { status: 415, code: "unsupported_type", title: "", detail: "", hint: "" };
    const detailOf = (name: string) =>
      uploadWords({ ...newItem(new File(["x"], name), { tags: [] }), state: "refused", problem }, i18n.t).detail;
    expect(detailOf("2026.ZIP")).toBe("This is an archive. Extract its files and upload those.");
    expect(detailOf("letter.doc")).toBe("This is an old Office file. Open it, save it as DOCX and upload that.");
    expect(detailOf("plan.xls")).toContain("XLSX");
    expect(detailOf("plan.dwg")).toMatch(/^This file type/);
  });

  it("ask for the password of an encrypted file", () => {
    const encrypted = documentOf({
      status: "failed",
      error: { code: "encrypted", message: "", hint: null, details: null },
    });
    expect(words({ state: "kept", document: followed(encrypted) }).remedy).toBe("password");
  });

  it("say in the head of the tray what goes on, and what needs a person", () => {
    const failed = followed(
      documentOf({ status: "failed", error: { code: "no_text", message: "", hint: null, details: null } }),
    );
    const sending = item({ state: "sending" });
    const done = item({ state: "kept", document: ready });
    expect(summary([sending, done, item({ state: "kept", document: failed })], i18n.t)).toBe(
      "1 file in progress · 1 needs attention",
    );
    expect(summary([done, done], i18n.t)).toBe("2 finished");
  });
});

it("what is done last is above what was done before, and below what goes on", () => {
  const items = [
    item({ id: "first", state: "kept", document: ready }),
    item({ id: "again", state: "kept", document: ready, isDuplicate: true }),
    item({ id: "sent", state: "sending" }),
    item({ id: "refused", state: "refused" }),
  ];
  expect(inOrder(items).map(({ id }) => id)).toEqual(["refused", "sent", "again", "first"]);
});
