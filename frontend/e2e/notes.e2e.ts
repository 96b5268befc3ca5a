import { describe } from "vitest";
import type { components } from "../src/lib/api/schema";
import { added, ask, documentsNamed } from "./support/api";
import { violationsOf } from "./support/axe";
import { type Desk, expect, test } from "./support/desk";
import { matrix } from "./support/matrix";
import type { Stack } from "./support/stack";

const WORDS = "We estimate that Italian households";
const NOTE = "Ask the sales team about the online shop.";

/** Open a page and select its words, as a person does with the mouse. */
async function select({ page }: Desk): Promise<void> {
  const line = page.locator(".page[data-page-number='8'] .textLayer span", { hasText: WORDS }).first();
  await line.waitFor();
  await line.evaluate((span) => window.getSelection()?.selectAllChildren(span));
}

async function opened(desk: Desk, stack: Stack): Promise<string> {
  const [document] = await documentsNamed(stack, "annual-report-2025");
  await desk.go(`/documents/${document?.id}?page=8`);
  await select(desk);
  return document?.id ?? "";
}

describe("selected words", () => {
  for (const size of matrix(["desktop", "phone"] as const)) {
    test(`are noted on a ${size}: the note is listed and marked, changed and deleted`, async ({ open, stack }) => {
      const desk = await open({ size, language: size === "phone" ? "it" : "en" });
      const { page, t } = desk;
      const id = await opened(desk, stack);
      const menu = page.getByRole("toolbar", { name: t("notes:menu") });
      await menu.waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await menu.getByRole("button", { name: t("notes:add") }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(t("notes:text"), { exact: true }).fill(NOTE);
      await dialog.getByRole("button", { name: t("actions.save") }).click();
      await dialog.waitFor({ state: "hidden" }); // it holds the text too
      await page.getByText(NOTE).waitFor();
      await page.locator(".lectern-viewer-container [data-kind=note]").first().waitFor();
      const { items } = await ask<{ items: { quote: string; is_shared: boolean }[] }>(stack, `/documents/${id}/notes`);
      expect(items.map((note) => note.is_shared)).toEqual([false]);
      expect(items[0]?.quote).toContain(WORDS);

      await page.getByRole("button", { name: t("notes:edit") }).click();
      await dialog.getByLabel(t("notes:share")).click();
      await dialog.getByRole("button", { name: t("actions.save") }).click();
      await page.getByRole("img", { name: t("notes:shared") }).waitFor();

      await desk.go(`/search?q=${encodeURIComponent("sales team of the shop")}`);
      const hits = page.getByRole("region", { name: t("notes:inNotes") });
      await hits.getByRole("link", { name: NOTE }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await hits.getByRole("link", { name: NOTE }).click();
      await page.locator(".lectern-highlights > div:not([data-kind])").first().waitFor();
      await page.getByRole("button", { name: t("notes:delete") }).click();
      await page.getByText(NOTE).waitFor({ state: "hidden" });
    });
  }

  test("are quoted with a link that opens them, and asked about", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await opened(desk, stack);
    const menu = page.getByRole("toolbar", { name: t("notes:menu") });
    await menu.getByRole("button", { name: t("notes:quote") }).click();
    await page.getByText(t("actions.copied")).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(WORDS);
    const link = copied.split("\n").at(-1) ?? "";
    expect(link).toMatch(/\/d\/[0-9a-f]{8}\/8\/\d+-\d+$/);
    await page.goto(link);
    await page.locator(".lectern-viewer-container .lectern-highlights > div:not([data-kind])").first().waitFor();
    await select(desk);
    await menu.getByRole("button", { name: t("notes:ask") }).click();
    await page.waitForURL(/panel=ask/);
    await page.getByRole("tab", { name: t("document.panel.ask"), selected: true }).waitFor();
  });

  for (const [name, number] of matrix([
    ["photographed.png", 1],
    ["scanned.pdf", 1],
    ["faxed.tiff", 2],
  ] as const)) {
    test(`of ${name} are where the picture has them, and quoted`, async ({ open, stack }) => {
      const document = await added(stack, name);
      const { text, words } = await ask<components["schemas"]["PageResponse"]>(
        stack,
        `/documents/${document.id}/pages/${number}?words=true`,
      );
      const desk = await open();
      const { page, t } = desk;
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await desk.go(`/documents/${document.id}?page=${number}`);
      for (const tool of [null, "reader.rotate"] as const) {
        if (tool) await page.getByRole("button", { name: t(tool), exact: true }).click();
        const line = page.locator(".lectern-text > div", { hasText: "The ferryman keeps" }).first();
        await line.waitFor();
        const word = words?.find(({ start, end }) => text.slice(start, end) === "lanterns");
        const place = () =>
          line.evaluate((element) => {
            const span = [...element.children].find((one) => one.textContent?.trim() === "lanterns");
            const [own, sheet] = [span, element.parentElement].map((one) => one?.getBoundingClientRect());
            if (!own || !sheet) return null;
            return sheet.width < sheet.height ? (own.x - sheet.x) / sheet.width : (own.y - sheet.y) / sheet.height;
          });
        await expect.poll(place).toBeCloseTo(word?.x ?? Number.NaN, 2);
      }
      await page.locator(".lectern-text > div", { hasText: "The ferryman keeps" }).first().scrollIntoViewIfNeeded();
      const box = await page.locator(".lectern-text > div", { hasText: "The ferryman keeps" }).first().boundingBox();
      if (!box) throw new Error("the line is not on the screen");
      // the page lies on its side
      await page.mouse.move(box.x + box.width / 2, box.y + 1);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
      await page.mouse.up();
      const menu = page.getByRole("toolbar", { name: t("notes:menu") });
      await menu.waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await menu.getByRole("button", { name: t("notes:quote") }).click();
      await page.getByText(t("actions.copied")).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
        new RegExp(`^“${/The ferryman keeps \d+/.exec(text)?.[0]}`),
      );
    });
  }
});
