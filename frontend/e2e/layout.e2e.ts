import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "vitest";
import { ask, documentsNamed } from "./support/api";
import { expect, test } from "./support/desk";
import { smallTexts, still } from "./support/screens";
import { watchVitals } from "./support/vitals";

describe("every page", () => {
  test("has no letters smaller than the smallest size of the scale", async ({ open }) => {
    const desk = await open();
    const small: string[] = [];
    for (const path of ["/documents", "/search?q=identity", "/collections", "/users", "/keys"]) {
      await desk.go(path);
      await still(desk);
      small.push(...(await smallTexts(desk)));
    }
    expect(small).toEqual([]);
  });

  test("is set in the two bundled fonts, and does not move when they come", async ({ open }) => {
    const { page, stack } = await open();
    const vitals = await watchVitals(page);
    await page.goto(`${stack.url}/documents`);
    await page.locator("table[aria-busy=false] tbody tr").first().waitFor();
    const loaded = await page.evaluate(() =>
      [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family.replaceAll('"', "")),
    );
    expect(loaded.sort()).toEqual(["Inter", "Source Serif 4"]);
    expect((await vitals()).layoutShift).toBeLessThan(0.1);
  });
});

describe("an answer", () => {
  test("has lines to read on a wide screen, and all of a low window", async ({ open }) => {
    const desk = await open({ width: 1920, height: 1000 });
    const { page, t } = desk;
    const question = "How many pages does aml-kyc-policy.pdf have?";
    await desk.go(`/ask?q=${encodeURIComponent(question)}`);
    await page.getByRole("button", { name: t("ask:copy") }).waitFor();
    expect((await page.getByLabel(question).boundingBox())?.width).toBeLessThanOrEqual(920);

    const isPinned = () =>
      page.getByRole("textbox", { name: t("ask:question") }).evaluate((field) => {
        const main = field.closest("main");
        for (let box: Element | null = field; box && box !== main; box = box.parentElement) {
          if (getComputedStyle(box).position === "sticky") return true;
        }
        return false;
      });
    expect(await isPinned()).toBe(true);
    await page.setViewportSize({ width: 1000, height: 450 });
    expect(await isPinned()).toBe(false);
  });
});

const READING = { timeout: 90_000 };

describe("a narrow screen", () => {
  test("keeps the button of a locked file beside its tags", async ({ open, stack }) => {
    const filename = "locked.pdf";
    const body = new Uint8Array(await readFile(join(stack.documents, filename)));
    await ask(stack, `/documents?filename=${filename}`, { method: "POST", body });
    await expect.poll(async () => (await documentsNamed(stack, filename))[0]?.status, READING).toBe("failed");
    const desk = await open({ language: "it", width: 820, height: 1180 });
    const { page, t } = desk;
    await desk.go(`/documents?q=${filename}`);
    const row = page.getByRole("row").filter({ hasText: filename });
    const button = await row.getByRole("button", { name: t("documents.password.enter") }).boundingBox();
    const tags = await row.getByRole("cell").nth(2).boundingBox();
    const [document] = await documentsNamed(stack, filename);
    await ask(stack, `/documents/${document?.id}`, { method: "DELETE" });
    expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThan(tags?.x ?? 0);
  });

  test("names the actions on selected documents", async ({ open }) => {
    const desk = await open({ size: "phone", language: "it" });
    const { page, t } = desk;
    await desk.go("/documents");
    await page.locator("main").getByRole("checkbox").nth(1).check();
    const bar = page.getByRole("region", { name: t("documents.bulk.label") });
    await bar.getByRole("button", { name: t("documents.bulk.delete") }).waitFor();
    const names = bar.locator(".mantine-Button-label");
    const hidden = await names.evaluateAll((all) =>
      all
        .filter((it) => {
          const { x, y, width, height } = it.getBoundingClientRect();
          const isCut = it.scrollWidth > it.clientWidth;
          return isCut || document.elementFromPoint(x + width / 2, y + height / 2) !== it;
        })
        .map((it) => it.textContent),
    );
    expect(await names.count()).toBeGreaterThan(5);
    expect(hidden).toEqual([]);
  });

  test("has the tools of a document in one line", async ({ open, stack }) => {
    const desk = await open({ size: "phone" });
    const [document] = await documentsNamed(stack, "annual-report");
    await desk.go(`/documents/${document?.id}`);
    await desk.page.getByRole("button", { name: desk.t("reader.rotate") }).waitFor();
    const tops = await desk.page
      .getByRole("group", { name: desk.t("reader.toolbar") })
      .locator("button:visible, a:visible")
      .evaluateAll((tools) => tools.map((tool) => tool.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
  });

  test("scrolls a table that is wider than the page", async ({ open, stack }) => {
    const filename = "wide.csv";
    const columns = Array.from({ length: 30 }, (_, index) => `column_${index}`).join();
    await ask(stack, `/documents?filename=${filename}`, { method: "POST", body: `${columns}\n${columns}\n` });
    await expect.poll(async () => (await documentsNamed(stack, filename))[0]?.status, READING).toBe("ready");
    const [document] = await documentsNamed(stack, filename);
    const desk = await open({ size: "phone" });
    const { page, t } = desk;
    await desk.go(`/documents/${document?.id}`);
    const sheet = page.getByRole("region", { name: t("search.page", { page: 1 }) });
    const widths = await sheet.evaluate((it) => [it.clientWidth, it.scrollWidth] as const);
    await ask(stack, `/documents/${document?.id}`, { method: "DELETE" });
    expect(widths[0]).toBeLessThan(390);
    expect(widths[1]).toBeGreaterThan(1_000);
  });

  test("shows a new key, which is below no fold", async ({ open }) => {
    const desk = await open({ size: "phone" });
    const { page, t } = desk;
    await desk.go("/keys");
    await page.getByLabel(t("keys:name"), { exact: false }).first().fill("A key in sight");
    await page.getByRole("button", { name: t("keys:create"), exact: true }).click();
    const text = page.getByText(t("keys:createdText"));
    await text.waitFor();
    await expect.poll(async () => (await text.boundingBox())?.y ?? -1).toBeGreaterThan(0);
    expect((await text.boundingBox())?.y).toBeLessThan(400);
  });
});
