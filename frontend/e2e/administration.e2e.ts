import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "vitest";
import { ask, documentsNamed } from "./support/api";
import { violationsOf } from "./support/axe";
import { expect, test } from "./support/desk";

const PATIENT = { timeout: 120_000 };

describe("a watched folder", () => {
  test("is chosen in the collection, scanned, and left again with its documents kept", async ({ open, stack }) => {
    const name = `Scans ${Date.now()}`;
    const collection = { name, is_open: true };
    await ask(stack, "/collections", { method: "POST", body: JSON.stringify(collection) });
    const folder = await mkdtemp(join(stack.documents, "watched-"));
    const file = `lock-${Date.now()}.md`;
    await writeFile(join(folder, file), "# The lock\n\nIts gates are greased in March.");
    const desk = await open({ language: "it", scheme: "dark", size: "phone" });
    const { page, t } = desk;
    await desk.go("/collections");
    await page.getByRole("button", { name: t("documents.actionsOf", { title: name }) }).click();
    await page.getByRole("menuitem", { name: t("collections:folder.action") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(t("collections:folder.path")).fill(folder);
    await dialog.getByRole("button", { name: t("collections:folder.watch") }).click();
    await dialog.getByText(folder).waitFor();
    await dialog.getByRole("button", { name: t("collections:folder.scan") }).click();
    await dialog.getByText(t("collections:folder.files", { count: 1 })).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const status = async () => (await documentsNamed(stack, file))[0]?.status;
    await expect.poll(status, PATIENT).toBe("ready");
    await dialog.getByRole("button", { name: t("collections:folder.stop") }).click();
    await dialog.getByLabel(t("collections:folder.path")).waitFor();
    expect(await status()).toBe("ready");
    for (const { id } of await documentsNamed(stack, file)) {
      await ask(stack, `/documents/${id}?purge=true`, { method: "DELETE" });
    }
    await rm(folder, { recursive: true });
  });

  test("loses its documents to the trash only after the missing files were confirmed", async ({ open, stack }) => {
    const name = `Ledgers ${Date.now()}`;
    const collection = JSON.stringify({ name, is_open: true });
    const { id } = await ask<{ id: string }>(stack, "/collections", { method: "POST", body: collection });
    const address = `/collections/${id}`;
    const folder = await mkdtemp(join(stack.documents, "watched-"));
    const file = `ledger-${Date.now()}.md`;
    await writeFile(join(folder, file), "# The ledger\n\nIt is closed in December.");
    await ask(stack, `${address}/folder`, { method: "PUT", body: JSON.stringify({ path: folder }) });
    await ask(stack, `${address}/ingest`, { method: "POST", body: "{}" });
    await rm(join(folder, file));
    const desk = await open({ language: "it" });
    const { page, t } = desk;
    await desk.go("/collections");
    await page.getByRole("button", { name: t("documents.actionsOf", { title: name }) }).click();
    await page.getByRole("menuitem", { name: t("collections:folder.action") }).click();
    await page.getByRole("button", { name: t("collections:folder.scan") }).click();
    await page.getByRole("button", { name: t("collections:folder.prune") }).click();
    const question = page.getByRole("dialog", { name: t("collections:folder.pruneTitle", { count: 1 }) });
    expect(await violationsOf(page)).toEqual([]);
    expect(await documentsNamed(stack, file)).toHaveLength(1);
    await question.getByRole("button", { name: t("documents.toTrash") }).click();
    await expect.poll(() => documentsNamed(stack, file)).toEqual([]);
    await page.getByText(t("collections:folder.files", { count: 0 })).waitFor();
    await rm(folder, { recursive: true });
  });
});

describe("activity", () => {
  test("is filtered by what was done, names it, and is exported as it is filtered", async ({ open, stack }) => {
    const name = `Lanterns ${Date.now()}`;
    await ask(stack, "/keys", { method: "POST", body: JSON.stringify({ name }) });
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/activity");
    await page.getByRole("combobox", { name: t("system:logColumn.what") }).click();
    await page.getByRole("option", { name: t("system:audit.key.create"), exact: true }).click();
    await page.waitForURL(/what=key.create/);
    const rows = page.getByRole("table", { name: t("system:logTitle") }).locator("tbody tr");
    await rows.filter({ hasText: name }).waitFor();
    for (const row of await rows.allTextContents()) expect(row).toContain(t("system:audit.key.create"));
    await page.getByRole("button", { name: t("system:logExport") }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: t("system:logFormat.csv") }).click();
    const [head, ...lines] = (await readFile(await (await download).path(), "utf-8")).trim().split(/\r?\n/);
    expect(head).toContain("action");
    expect(lines.length).toBe(await rows.count());
    for (const line of lines) expect(line).toContain("key.create");
  });
});

describe("a key", () => {
  test("gets an expiry, a new secret beside the old one, and leads to its calls", async ({ open }) => {
    const name = `Nightly ${Date.now()}`;
    const desk = await open({ size: "phone" });
    const { page, t } = desk;
    await desk.go("/keys");
    await page.getByLabel(t("keys:name"), { exact: false }).first().fill(name);
    await page.getByLabel(t("keys:days")).selectOption("30");
    await page.getByRole("button", { name: t("keys:create"), exact: true }).click();
    const secretOf = async () => {
      const shown = page.getByRole("alert").filter({ hasText: name });
      return ((await shown.locator("pre, code").first().textContent()) ?? "").trim();
    };
    const first = await secretOf();
    const row = page.getByRole("listitem").filter({ hasText: name });
    await row.getByRole("button", { name: t("keys:rotate.action") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: t("keys:rotate.action") }).click();
    await dialog.waitFor({ state: "hidden" });
    await row.getByText(first.slice(0, 6)).waitFor();
    await expect.poll(secretOf).not.toBe(first);
    await row.getByRole("link", { name: t("keys:log") }).click();
    await page.waitForURL(/activity.*who=key/);
    await page.getByRole("heading", { level: 1, name: t("nav.activity") }).waitFor();
  });
});

describe("jobs", () => {
  test("that failed say at which stage and why, in the words of the person", async ({ open, stack }) => {
    const body = new Uint8Array(Buffer.from("%PDF-1.7\n torn"));
    const file = `torn-${Date.now()}.pdf`;
    await ask(stack, `/documents?filename=${file}`, { method: "POST", body });
    const status = async () => (await documentsNamed(stack, file))[0]?.status;
    await expect.poll(status, PATIENT).toBe("failed");
    const desk = await open({ language: "it" });
    const { page, t } = desk;
    await desk.go("/jobs?state=needs_attention");
    const row = page.getByRole("row").filter({ hasText: file });
    await row.getByText(t("jobs.stage.extract")).waitFor();
    await row.getByText(t("documents.failure.corrupt.label")).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    for (const { id } of await documentsNamed(stack, file)) {
      await ask(stack, `/documents/${id}?purge=true`, { method: "DELETE" });
    }
  });
});

describe("a search", () => {
  test("says which figure occurs in no passage, and labels hits in another language", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go(`/search?q=${encodeURIComponent("customer identity FIO-POL-98765")}&language=it`);
    await page.getByText(t("notes:nowhere", { count: 1, figures: "“FIO-POL-98765”" })).waitFor();
    await page
      .getByText(t("search.inLanguage", { language: "Italian" }))
      .first()
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});
