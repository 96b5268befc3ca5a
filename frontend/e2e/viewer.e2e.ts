import { describe } from "vitest";
import type { components } from "../src/lib/api/schema";
import { ask, documentsNamed } from "./support/api";
import { expect, test } from "./support/desk";
import { matrix } from "./support/matrix";

type PageText = components["schemas"]["PageResponse"];
type Thread = components["schemas"]["ThreadResponse"];

const DRAWN = ".pdfViewer .page[data-loaded=true] canvas";

describe("a damaged file", () => {
  test("says once what helps, and offers no text", async ({ open, stack }) => {
    const filename = "torn.pdf";
    await ask(stack, `/documents?filename=${filename}`, { method: "POST", body: "%PDF-1.7\nand nothing else" });
    await expect.poll(async () => (await documentsNamed(stack, filename))[0]?.status).toBe("failed");
    const [document] = await documentsNamed(stack, filename);
    const desk = await open();
    const { page, t } = desk;
    await desk.go(`/documents/${document?.id}`);
    await page.getByRole("heading", { name: t("errors.fileTitle") }).waitFor();
    const times = await page.getByText(t("documents.failure.corrupt.remedy")).count();
    const textTools = await page.getByRole("button", { name: t("reader.text"), exact: true }).count();
    await ask(stack, `/documents/${document?.id}`, { method: "DELETE" });
    expect(times).toBe(1);
    expect(textTools).toBe(0);
  });
});

describe("the pages of a document", () => {
  test("are drawn although they were hidden while they came, and again after that", async ({ open, stack }) => {
    const desk = await open();
    const { page } = desk;
    const [document] = await documentsNamed(stack, "aml-kyc-policy");
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/original?*", async (route) => {
      await released;
      await route.continue();
    });
    await desk.go(`/documents/${document?.id}?page=2`);
    const viewer = page.locator(".lectern-viewer-container");
    await viewer.waitFor();
    // what React does to everything in a boundary while one part of it waits for its code
    const hide = () => page.locator("main").evaluate((main) => main.style.setProperty("display", "none", "important"));
    const reveal = () => page.locator("main").evaluate((main) => main.style.removeProperty("display"));

    await hide();
    release();
    await page.locator(".pdfViewer .page").first().waitFor({ state: "attached" });
    await reveal();
    await page.locator(DRAWN).first().waitFor();
    const width = () =>
      page
        .locator(".pdfViewer .page")
        .first()
        .evaluate((sheet) => sheet.clientWidth);
    const before = await width();
    await hide();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    await reveal();
    await page.locator(DRAWN).first().waitFor();
    expect(await width()).toBe(before);
  });

  test("stay where they are when the window gets another size", async ({ open, stack }) => {
    const desk = await open();
    const { page } = desk;
    const [document] = await documentsNamed(stack, "aml-kyc-policy");
    await desk.go(`/documents/${document?.id}?page=3`);
    await page.locator(".pdfViewer .page[data-page-number='3'][data-loaded=true]").waitFor();
    const place = () =>
      page.locator(".lectern-viewer-container").evaluate((container) => {
        const sheet = container.querySelector<HTMLElement>(".page[data-page-number='3']");
        return {
          width: sheet?.clientWidth,
          distance: Math.abs(container.scrollTop - (sheet?.offsetTop ?? 0)),
        };
      });
    expect((await place()).distance).toBeLessThan(3);
    for (const width of [1100, 700, 1280]) {
      const before = await place();
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(async () => (await place()).width).not.toBe(before.width);
      await expect.poll(async () => (await place()).distance).toBeLessThan(3);
    }
  });

  test("come although their code failed to load at first, which is said", async ({ open, stack }) => {
    const desk = await open();
    desk.expectComplaint(/pdf-viewer/);
    const { page, t } = desk;
    const [document] = await documentsNamed(stack, "aml-kyc-policy");
    await page.route("**/assets/pdf-viewer*.js", (route) => route.abort());
    await desk.go(`/documents/${document?.id}`);
    await page.getByText(t("errors.codeMissing")).waitFor();

    await page.unroute("**/assets/pdf-viewer*.js");
    await page.locator(DRAWN).first().waitFor();
    await page.getByText(t("errors.codeMissing")).waitFor({ state: "hidden" });
  });
});

describe("the toolbar", () => {
  const inSight = ".pdfViewer .page[data-loaded=true]";

  test("goes to a page, zooms, fits and rotates, by buttons and by keys", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    const [document] = await documentsNamed(stack, "aml-kyc-policy");
    await desk.go(`/documents/${document?.id}?page=2`);
    await page.locator(inSight).first().waitFor();
    const field = page.getByRole("textbox", { name: t("reader.page"), exact: true });
    const tool = (name: "zoomIn" | "nextPage" | "fullScreen" | "exitFullScreen") =>
      page.getByRole("button", { name: t(`reader.${name}`), exact: true });
    await expect.poll(() => field.inputValue()).toBe("2");
    await page.getByText(t("reader.pageCount", { count: 8 }), { exact: true }).waitFor();
    await field.fill("6");
    await field.press("Enter");
    await page.locator(".pdfViewer .page[data-page-number='6'][data-loaded=true]").waitFor();
    await expect.poll(() => field.inputValue()).toBe("6");
    await tool("nextPage").click();
    await expect.poll(() => field.inputValue()).toBe("7");
    await page.keyboard.press("k");
    await expect.poll(() => field.inputValue()).toBe("6");

    const sheet = page.locator(".pdfViewer .page").nth(5);
    const size = () => sheet.evaluate((it) => ({ width: it.clientWidth, height: it.clientHeight }));
    const wide = await size();
    await tool("zoomIn").click();
    await expect.poll(async () => (await size()).width).toBeGreaterThan(wide.width);
    expect(await field.inputValue()).toBe("6");
    await page.keyboard.press("0");
    await expect.poll(async () => (await size()).width).toBe(wide.width);
    await page.keyboard.press("0");
    const stage = await page.locator(".lectern-viewer-container").evaluate((it) => it.clientHeight);
    await expect.poll(async () => (await size()).height).toBeLessThanOrEqual(stage);
    await page.keyboard.press("r");
    await expect.poll(async () => (await size()).width > (await size()).height).toBe(true);

    await tool("fullScreen").click();
    await tool("exitFullScreen").waitFor();
    await page.keyboard.press("f");
    await tool("fullScreen").waitFor();

    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText(t("shortcuts.reader.rotate")).waitFor();
  });

  test("prints every page and links to the file", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    const [document] = await documentsNamed(stack, "aml-kyc-policy");
    await page.addInitScript(() => {
      window.print = () => {
        const sheets = [...window.document.querySelectorAll<HTMLImageElement>(".lectern-print > img")];
        window.document.title = sheets.map((sheet) => sheet.naturalWidth > 1_000).join();
        window.dispatchEvent(new Event("afterprint"));
      };
    });
    await desk.go(`/documents/${document?.id}`);
    await page.locator(inSight).first().waitFor();
    await page.getByRole("button", { name: t("reader.print") }).click();
    await expect.poll(() => page.title(), { timeout: 60_000 }).toBe(Array(8).fill(true).join());
    expect(await page.locator(".lectern-print").count()).toBe(0);
    const link = page.getByRole("link", { name: t("actions.download"), exact: true });
    expect(await link.getAttribute("href")).toBe(`/api/v1/documents/${document?.id}/original?is_inline=false`);
  });

  test("shows thumbnails with the page and the passage marked, few at a time, and goes through them by keys", async ({
    open,
    stack,
  }) => {
    const desk = await open({ width: 1440, height: 900 });
    const { page, t } = desk;
    const [document] = await documentsNamed(stack, "annual-report-2025");
    await desk.go(`/documents/${document?.id}?page=8`);
    await page.locator(inSight).first().waitFor();
    const rail = page.getByRole("navigation", { name: t("reader.thumbnails") });
    await page.getByRole("button", { name: t("reader.thumbnails"), exact: true }).click();
    const current = rail.locator("[aria-current=page]");
    await current.locator("canvas").waitFor();
    expect(await current.textContent()).toBe("8");
    expect(await rail.getByRole("button").count()).toBeLessThan(20);
    await current.focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.locator(":focus").textContent()).toBe("9");
    await page.keyboard.press("End");
    await expect.poll(() => page.locator(":focus").textContent()).toBe("24");
    expect(await page.getByRole("textbox", { name: t("reader.page"), exact: true }).inputValue()).toBe("24");

    const outline = page.getByRole("navigation", { name: t("document.outline") });
    await outline.getByRole("button", { name: "Our customers" }).click();
    await page.waitForURL(/page=8&start=\d+&end=\d+|start=\d+&end=\d+&page=8/);
    await expect.poll(() => outline.locator("[aria-current=location]").textContent()).toContain("Our customers");
    await page.locator(".lectern-viewer-container .lectern-highlights > div").first().waitFor();
    await current.locator(".lectern-highlights > div").first().waitFor();

    await page.reload();
    await current.locator("canvas").waitFor();
    await page.keyboard.press("t");
    await rail.waitFor({ state: "hidden" });
  });

  test("opens a passage on a phone at letters that can be read", async ({ open, stack }) => {
    const desk = await open({ size: "phone" });
    const { page } = desk;
    const [document] = await documentsNamed(stack, "aml-kyc-policy");
    await desk.go(`/documents/${document?.id}?page=3&start=3000&end=3250`);
    const mark = page.locator(".lectern-highlights > div:not([data-kind])").first();
    await mark.waitFor();
    // enlarging a page draws its marks again, so both are read until they hold
    const height = async () => (await mark.boundingBox())?.height ?? Number.NaN;
    const below = async () => {
      const [box, sight] = [await mark.boundingBox(), await page.locator(".lectern-viewer-container").boundingBox()];
      return box && sight ? box.y - sight.y : Number.NaN;
    };
    await expect.poll(height).toBeGreaterThanOrEqual(16);
    await expect.poll(below).toBeGreaterThanOrEqual(0);
  });
});

describe("beside the pages", () => {
  for (const language of matrix(["en", "it"] as const)) {
    test(`are three tabs, in ${language}: contents, information, and questions to this document`, async ({
      open,
      stack,
    }) => {
      const desk = await open({ language });
      const { page, t } = desk;
      const [document] = await documentsNamed(stack, "aml-kyc-policy");
      await desk.go(`/documents/${document?.id}?page=2`);
      const tabs = page.getByRole("tab");
      await tabs.first().waitFor();
      expect(await tabs.allTextContents()).toEqual(
        (["ask", "contents", "info"] as const).map((panel) => t(`document.panel.${panel}`)),
      );
      await page
        .getByRole("navigation", { name: t("document.outline") })
        .getByRole("button")
        .last()
        .click();
      await page.waitForURL(/[?&]page=[3-8]/);

      const { text, char_start } = await ask<PageText>(stack, `/documents/${document?.id}/pages/3`);
      const start = char_start + text.indexOf("The third line is Internal Audit");
      await desk.go(`/documents/${document?.id}?page=3&start=${start}&end=${start + 60}`);
      const heading = page.locator("[aria-current=location]");
      await heading.filter({ hasText: "2.1 Three lines" }).waitFor();

      await page.getByRole("tab", { name: t("document.panel.info") }).click();
      await page.getByText("aml-kyc-policy.pdf", { exact: true }).waitFor();
      await page.getByRole("button", { name: t("document.part.versions") }).click();
      await page.getByRole("list", { name: t("versions.label") }).waitFor();
      await page.waitForURL(/[?&]part=versions/);

      await page.getByRole("tab", { name: t("document.panel.ask") }).click();
      const field = page.getByRole("textbox", { name: t("ask:question") });
      await field.fill("How long are records kept after the end of the relationship?");
      await field.press("Enter");
      const citation = page.getByRole("button", { name: t("ask:openCitation", { number: 1 }) }).first();
      await citation.click();
      await page.locator(".lectern-highlights > div:not([data-kind])").first().waitFor();
      await page.waitForURL(/[?&]thread=/);

      await field.fill("And the originals?");
      await field.press("Enter");
      await page.getByRole("region", { name: "And the originals?" }).waitFor();
      await page.waitForURL((url) => !url.searchParams.has("ask"));
      await page.reload();
      await page.getByRole("region", { name: "And the originals?" }).waitFor();
      const { answers } = await ask<Thread>(stack, `/threads/${new URL(page.url()).searchParams.get("thread")}`);
      expect(answers.map(({ response }) => response.data.question)).toContain("And the originals?");
      expect(answers.flatMap(({ response }) => response.data.citations.map((one) => one.document_id))).toSatisfy(
        (cited: string[]) => cited.length > 0 && cited.every((id) => id === document?.id),
      );
      await page.getByRole("button", { name: t("ask:newQuestion") }).click();
      await page.waitForURL((url) => !url.searchParams.has("thread"));
    });
  }
});
