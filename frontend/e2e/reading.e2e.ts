import type { Locator, Page } from "playwright-core";
import { describe } from "vitest";
import { added, ask, documentsNamed } from "./support/api";
import { violationsOf } from "./support/axe";
import { expect, test } from "./support/desk";
import { matrix } from "./support/matrix";

const MARK = ".lectern-highlights > div:not([data-kind])";

/** Wait for a mark on the line of the page that has these words. Marks are painted anew while their places come. */
async function isOnLine(page: Page, mark: Locator, words: string): Promise<void> {
  const line = page.locator(".textLayer span", { hasText: words }).first();
  const isThere = async () => {
    const [own, around] = [await mark.boundingBox(), await line.boundingBox()];
    const middle = own ? own.y + own.height / 2 : 0;
    return around !== null && middle > around.y && middle < around.y + around.height;
  };
  await expect.poll(isThere, { timeout: 60_000 }).toBe(true);
}

describe("an office file", () => {
  test("is read with its headings by level and its tables as tables", async ({ open, stack }) => {
    const document = await added(stack, "berths.docx");
    const desk = await open();
    const { page } = desk;
    await desk.go(`/documents/${document.id}`);
    const text = page.locator("main section[aria-label]").filter({ has: page.locator("table") });
    await text.getByRole("heading", { level: 2, name: "Berths of the harbour" }).waitFor();
    await text.getByRole("heading", { level: 3, name: "Depths" }).waitFor();
    expect(await text.getByRole("columnheader").allTextContents()).toEqual(["Berth", "Depth"]);
    expect(await text.getByRole("cell").allTextContents()).toEqual(["North quay", "4 m", "South quay", "6 m"]);
    expect(await text.textContent()).not.toContain("---");
  });

  test("is shown as it is printed, with the passage where its words are", async ({ open, stack }) => {
    const document = await added(stack, "berths.docx");
    const { text } = await ask<{ text: string }>(stack, `/documents/${document.id}/content`);
    const start = text.indexOf("measured every spring");
    for (const look of matrix([{}, { size: "phone", language: "it", scheme: "dark" }] as const)) {
      const desk = await open(look);
      const { page, t } = desk;
      await desk.go(`/documents/${document.id}?page=1&start=${start}&end=${start + 21}`);
      const button = page.getByRole("button", { name: t("reader.printed"), exact: true });
      await button.click();
      await page.locator(".pdfViewer .page[data-loaded=true] canvas").first().waitFor({ timeout: 60_000 });
      await isOnLine(page, page.locator(MARK).first(), "measured every spring");
      expect(await page.getByText(t("reader.notPlaced")).count()).toBe(0);
      expect(await violationsOf(page)).toEqual([]);
      await button.click();
      await page.locator("mark[data-current]").first().waitFor();
    }
  });

  test("has found words and notes marked on its printed pages", async ({ open, stack }) => {
    const document = await added(stack, "berths.docx");
    const { text } = await ask<{ text: string }>(stack, `/documents/${document.id}/content`);
    const start = text.indexOf("South quay");
    const { items } = await ask<{ items: { id: string }[] }>(stack, `/documents/${document.id}/notes`);
    for (const { id } of items) await ask(stack, `/documents/${document.id}/notes/${id}`, { method: "DELETE" });
    const note = { char_start: start, char_end: start + 10, text: "Dredged in May." };
    await ask(stack, `/documents/${document.id}/notes`, { method: "POST", body: JSON.stringify(note) });
    for (const look of matrix([{}, { size: "phone", language: "it", scheme: "dark" }] as const)) {
      const desk = await open(look);
      const { page, t } = desk;
      await desk.go(`/documents/${document.id}?find=quay`);
      await page.getByRole("button", { name: t("reader.printed"), exact: true }).click();
      await isOnLine(page, page.locator(MARK), "North quay");
      await isOnLine(page, page.locator(".lectern-highlights > [data-kind=faint]"), "South quay");
      await isOnLine(page, page.locator(".lectern-highlights > [data-kind=note]"), "South quay");
      await page.getByRole("searchbox", { name: t("find.label") }).press("Enter");
      await page.getByText(t("find.place", { at: "2", total: "2" })).waitFor();
      await page.locator(".lectern-highlights > [data-kind=note] ~ div:not([data-kind])").waitFor();
      await isOnLine(page, page.locator(MARK), "South quay");
      const words = page.locator(".textLayer span", { hasText: "measured every spring" }).first();
      await words.evaluate((span) => window.getSelection()?.selectAllChildren(span));
      await page.getByRole("toolbar", { name: t("notes:menu") }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
    }
  });

  test("has no mark any more once nothing is looked for", async ({ open, stack }) => {
    const [document] = await documentsNamed(stack, "aml-kyc-policy");
    const desk = await open();
    const { page, t } = desk;
    await desk.go(`/documents/${document?.id}?find=customer`);
    await page.locator(MARK).first().waitFor();
    await page.getByRole("searchbox", { name: t("find.label") }).fill("");
    await page.waitForURL((url) => !url.searchParams.has("find") && !url.searchParams.has("start"));
    await page.locator(".lectern-highlights > div").first().waitFor({ state: "detached" });
  });

  test("keeps the head of a long table in sight, down to the passage", async ({ open, stack }) => {
    const document = await added(stack, "moorings.csv");
    const { text } = await ask<{ text: string }>(stack, `/documents/${document.id}/content`);
    const start = text.indexOf("| Berth 180 |") + 2;
    const desk = await open({ size: "phone" });
    const { page } = desk;
    await desk.go(`/documents/${document.id}?page=1&start=${start}&end=${start + 9}`);
    const mark = page.locator("td > mark[data-current]");
    await mark.waitFor();
    expect(await mark.textContent()).toBe("Berth 180");
    const head = page.getByRole("columnheader", { name: "Skipper" });
    const sight = async () => {
      const [row, column, section] = await Promise.all([
        mark.boundingBox(),
        head.boundingBox(),
        page.locator("main section[aria-label]").filter({ has: head }).boundingBox(),
      ]);
      if (!row || !column || !section) throw new Error("something has no place");
      return { above: column.y - section.y, below: row.y - column.y - column.height };
    };
    expect((await sight()).above).toBeGreaterThanOrEqual(0);
    expect((await sight()).above).toBeLessThan(40);
    expect((await sight()).below).toBeGreaterThan(0);
  });
});

describe("slides and messages", () => {
  test("of a presentation are cards with their titles, and the keys turn them", async ({ open, stack }) => {
    const document = await added(stack, "crossings.pptx");
    const desk = await open();
    const { page, t } = desk;
    await desk.go(`/documents/${document.id}`);
    const slide = page.locator("main section[aria-label] [data-page-number]");
    await slide.getByRole("heading", { name: "Crossings in spring" }).waitFor();
    const { width, height } = (await slide.boundingBox()) ?? { width: 0, height: 1 };
    expect(width).toBeGreaterThan(height);
    await page.keyboard.press("j");
    await slide.getByRole("heading", { name: "Crossings in winter" }).waitFor();
    expect(await page.getByRole("textbox", { name: t("reader.page") }).inputValue()).toBe("2");
    expect(await violationsOf(page)).toEqual([]);
  });

  test("of an e-mail show sender, date and attachments apart from the text", async ({ open, stack }) => {
    const document = await added(stack, "ropes.eml");
    const desk = await open({ size: "phone", language: "it", scheme: "dark" });
    const { page, t } = desk;
    await desk.go(`/documents/${document.id}`);
    const head = page.locator("main section dl");
    await head.getByText("anna@example.org").waitFor();
    expect(await head.locator("dt").allTextContents()).toEqual(
      expect.arrayContaining(["From", "To", "Date"].map((name) => t(`reader.mail.${name as "From"}`))),
    );
    await page.locator("main section p", { hasText: "The old ones go to the museum." }).first().waitFor();
    const attachments = page.getByRole("region", { name: t("reader.mail.attachments") });
    await attachments.getByText("ropes.csv").waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});

describe("a picture", () => {
  test("is shown with its passage highlighted, at every size and rotation, and as recognised text", async ({
    open,
    stack,
  }) => {
    const document = await added(stack, "photographed.png");
    const { text } = await ask<{ text: string }>(stack, `/documents/${document.id}/content`);
    const start = text.indexOf("copper lanterns");
    const desk = await open();
    const { page, t } = desk;
    await desk.go(`/documents/${document.id}?page=1&start=${start}&end=${start + 15}`);
    const mark = page.locator(".lectern-highlights > div:not([data-kind])").first();
    await mark.waitFor();
    /** Return the middle of the mark in shares of the picture, at one moment: it is painted again as more is known. */
    const middle = () =>
      mark.evaluate((one) => {
        const box = one.getBoundingClientRect();
        const frame = one.ownerDocument.querySelector("main section img")?.getBoundingClientRect() ?? new DOMRect();
        return [
          (box.x + box.width / 2 - frame.x) / frame.width,
          (box.y + box.height / 2 - frame.y) / frame.height,
        ] as const;
      });
    const fourthLine = (842 - 658 - 5) / 842;
    await expect.poll(async () => Math.abs((await middle())[1] - fourthLine)).toBeLessThan(0.01);
    const [x, y] = await middle();
    await page.getByRole("button", { name: t("reader.zoomIn"), exact: true }).click();
    expect(Math.abs((await middle())[1] - y)).toBeLessThan(0.005);
    await page.getByRole("button", { name: t("reader.rotate"), exact: true }).click();
    expect(Math.abs((await middle())[0] - (1 - y))).toBeLessThan(0.005);
    expect(Math.abs((await middle())[1] - x)).toBeLessThan(0.005);

    await page.getByRole("button", { name: t("reader.text"), exact: true }).click();
    expect(await page.locator("mark[data-current]").first().textContent()).toBe("copper lanterns");
  });
});

describe("a file of several pictures", () => {
  test("is read page by page, with thumbnails, in both schemes and on a phone", async ({ open, stack }) => {
    const document = await added(stack, "faxed.tiff");
    const { text } = await ask<{ text: string }>(stack, `/documents/${document.id}/content`);
    const start = text.lastIndexOf("copper lanterns");
    for (const look of [{ language: "it", scheme: "dark" }, { size: "phone" }] as const) {
      const desk = await open(look);
      const { page, t } = desk;
      await desk.go(`/documents/${document.id}?page=2&start=${start}&end=${start + 15}`);
      const mark = page.locator("main section .lectern-highlights > div:not([data-kind])").first();
      await mark.waitFor();
      if ("size" in look) await expect.poll(async () => (await mark.boundingBox())?.height).toBeGreaterThanOrEqual(16);
      const field = page.getByRole("textbox", { name: t("reader.page"), exact: true });
      const title = document.title ?? document.filename;
      const shown = (number: number) =>
        page.locator("main section").getByRole("img", { name: t("search.thumbnail", { page: number, title }) });
      await shown(2).waitFor();
      expect(await field.inputValue()).toBe("2");
      expect(await shown(2).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1785);
      await page.getByRole("button", { name: t("reader.previousPage") }).click();
      await shown(1).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      if ("size" in look) continue;
      await page.getByRole("button", { name: t("reader.thumbnails"), exact: true }).click();
      const rail = page.getByRole("navigation", { name: t("reader.thumbnails") });
      await rail.locator("canvas").nth(1).waitFor();
      await rail.getByRole("button").nth(1).click();
      await shown(2).waitFor();
    }
  });
});

describe("a hit", () => {
  test("leads back to its results, and on to the next and the one before", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    const query = "identity customer verified";
    await desk.go(`/search?q=${encodeURIComponent(query)}`);
    await page.locator("#hit-2 a").first().click();
    const back = page.getByRole("link", { name: t("reader.results", { query }) });
    await back.waitFor();
    const place = (rank: number) => page.getByText(t("find.place", { at: rank, total: 10 }), { exact: true });
    const opened = () => new URL(page.url()).pathname;
    await place(2).waitFor();
    const second = opened();
    await page.getByRole("button", { name: t("reader.nextResult") }).click();
    await place(3).waitFor();
    await page.keyboard.press("p");
    await place(2).waitFor();
    expect(opened()).toBe(second);

    await back.click();
    await page.waitForURL(/\/search\?.*#hit-2$/);
    await page.locator("#hit-2").waitFor();
    expect(await page.getByRole("searchbox", { name: t("search.query") }).inputValue()).toBe(query);
  });
});

describe("the text of a PDF", () => {
  test("takes the place of pages that are still on their way", async ({ open, stack }) => {
    const [document] = await documentsNamed(stack, "annual-report-2025");
    const { page, t } = await open();
    await page.addInitScript((name) => {
      const observer = new MutationObserver(() => {
        if (!window.document.querySelector(".pdfViewer .page")) return;
        observer.disconnect();
        window.document.querySelector<HTMLButtonElement>(`button[aria-label="${name}"]`)?.click();
      });
      observer.observe(window.document, { childList: true, subtree: true });
    }, t("reader.text"));
    await page.goto(`${stack.url}/documents/${document?.id}?page=12`);
    await page.locator("tr", { hasText: "Warehouses and transport" }).waitFor();
    await page.getByRole("button", { name: t("reader.text"), exact: true }).click();
    await page.locator(".pdfViewer .page[data-loaded=true] canvas").first().waitFor();
  });

  test("has lines with tabs as tables, which are marked, copied and scrolled", async ({ open, stack }) => {
    const [document] = await documentsNamed(stack, "annual-report-2025");
    const { text } = await ask<{ text: string }>(stack, `/documents/${document?.id}/content`);
    const row = "Warehouses and transport\t472\t461";
    const start = text.indexOf(row);
    for (const look of matrix([{ size: "phone" }, { language: "it", scheme: "dark" }] as const)) {
      const desk = await open(look);
      const { page, t } = desk;
      await desk.go(`/documents/${document?.id}?page=12&start=${start}&end=${start + row.length}`);
      await page.getByRole("button", { name: t("reader.text"), exact: true }).click();
      const marked = page.locator("tr mark");
      await marked.first().waitFor();
      expect((await marked.allTextContents()).join("\t")).toBe(row);
      const selected = await page.locator("tr", { has: page.locator("mark") }).evaluate((element) => {
        window.getSelection()?.selectAllChildren(element);
        return window.getSelection()?.toString();
      });
      expect(selected?.trim()).toBe(row);
      expect(await violationsOf(page)).toEqual([]);
      await page.setViewportSize({ width: 250, height: 800 });
      const wide = page.locator("[tabindex='0']", { has: page.locator("> table") });
      await wide.focus();
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => wide.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
    }
  });
});

describe("words in a document", () => {
  test("that are not found say so in sight, on a phone too", async ({ open, stack }) => {
    const [document] = await documentsNamed(stack, "aml-kyc-policy");
    const desk = await open({ size: "phone" });
    const { page, t } = desk;
    await desk.go(`/documents/${document?.id}`);
    await page.getByRole("searchbox", { name: t("find.label") }).fill("zeppelin");
    const link = page.getByRole("link", { name: t("find.searchMeaning") });
    await link.waitFor();
    const end = async () => {
      const { y = Number.POSITIVE_INFINITY, height = 0 } = (await link.boundingBox()) ?? {};
      return y + height;
    };
    await expect.poll(end).toBeLessThanOrEqual(844);
  });

  test("are counted and gone through from the keyboard", async ({ open, stack }) => {
    const [document] = await documentsNamed(stack, "aml-kyc-policy");
    const desk = await open();
    const { page, t } = desk;
    await desk.go(`/documents/${document?.id}`);
    await page.locator(".pdfViewer .page[data-loaded=true]").first().waitFor();
    await page.keyboard.press("Control+f");
    await page.keyboard.type("customer");
    const status = page.getByText(/^1 of \d+$/);
    await status.waitFor();
    const total = (await status.textContent())?.split(" ").at(-1);
    const { total: counted } = await ask<{ total: number }>(stack, `/documents/${document?.id}/find?q=customer`);
    expect(total).toBe(String(counted));
    await page.keyboard.press("Enter");
    await page.getByText(t("find.place", { at: 2, total: counted }), { exact: true }).waitFor();
    await page.locator(".lectern-highlights > div:not([data-kind])").first().waitFor();
    expect(await page.getByRole("tab").count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("tab").first().waitFor();
  });
});
