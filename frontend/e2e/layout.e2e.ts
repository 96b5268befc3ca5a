import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "vitest";
import { ask, documentsNamed } from "./support/api";
import { expect, test } from "./support/desk";
import { titlePlaces } from "./support/screens";
import { watchVitals } from "./support/vitals";

const MANY_SCREENS_MS = 600_000;

describe("every page", () => {
  test("has its title at the same place", { timeout: MANY_SCREENS_MS }, async ({ open }) => {
    const desk = await open({ width: 1440, height: 900 });
    const places = await titlePlaces(desk);
    expect(Object.keys(places), JSON.stringify(places)).toHaveLength(1);
  });

  test("has hints in a size of the scale", async ({ open }) => {
    const desk = await open();
    await desk.go("/keys");
    const hints = desk.page.locator("main [class*=-description]");
    await hints.nth(4).waitFor();
    const sizes = await hints.evaluateAll((all) => all.map((hint) => getComputedStyle(hint).fontSize));
    expect([...new Set(sizes)]).toEqual(["12px"]);
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
