import { describe } from "vitest";
import { documentsNamed } from "./support/api";
import { expect, test } from "./support/desk";

const DRAWN = ".pdfViewer .page[data-loaded=true] canvas";

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
    const viewer = page.locator(".lectern-viewer");
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

describe("what stands beside the pages", () => {
  for (const language of ["en", "it"] as const) {
    test(`has its tabs in one line, in ${language}, and the one with the focus in sight`, async ({ open, stack }) => {
      const desk = await open({ language });
      const { page, t } = desk;
      const [document] = await documentsNamed(stack, "aml-kyc-policy");
      await page.setViewportSize({ width: 1440, height: 900 });
      await desk.go(`/documents/${document?.id}?panel=copies`);
      const tab = (panel: "chunks" | "copies") => page.getByRole("tab", { name: t(`document.panel.${panel}`) });
      /** Return the pixels of a tab outside its strip. */
      const outside = (panel: "chunks" | "copies") =>
        tab(panel).evaluate((it) => {
          const [own, strip] = [it, it.closest("[data-slides]") ?? it].map((one) => one.getBoundingClientRect());
          return own && strip ? Math.max(strip.left - own.left, own.right - strip.right, 0) : Number.NaN;
        });
      for (const panel of ["chunks", "copies"] as const) expect(await outside(panel)).toBeLessThan(1);

      await page.setViewportSize({ width: 390, height: 844 });
      await page.reload();
      await tab("copies").waitFor();
      await expect.poll(() => outside("copies")).toBeLessThan(1);
      expect(await outside("chunks")).toBeGreaterThan(20);
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
      const [first, last] = [await tab("chunks").boundingBox(), await tab("copies").boundingBox()];
      expect(first?.y).toBe(last?.y);
      await tab("copies").focus();
      await page.keyboard.press("ArrowRight"); // round to the first
      await expect.poll(() => outside("chunks")).toBeLessThan(1);
      expect(await tab("chunks").getAttribute("aria-selected")).toBe("true");
    });
  }
});
