import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, inject } from "vitest";
import { added, ask, documentsNamed } from "./support/api";
import { type Desk, expect, test } from "./support/desk";
import { matrix } from "./support/matrix";
import { DEPTHS, openTable, type Share, sharesUnderHighlight } from "./support/pixels";
import { isReady, upload } from "./support/uploading";
import { watchVitals } from "./support/vitals";

interface Passages {
  query: string;
  title: string;
  target: number;
  sentences: { text: string; colour: [number, number, number] }[];
}

const PAGES = matrix(["rotated-and-cropped", "upright", "rotated", "cropped"]);
/** Tools after each of which the highlight is looked at again. */
const SIZES = ["reader.zoomOut", "reader.rotate", "reader.rotate"] as const;
let passages: Record<string, Passages>;

describe("the highlight of a hit", () => {
  beforeAll(async () => {
    passages = JSON.parse(await readFile(join(inject("stack").documents, "passages.json"), "utf-8"));
  });

  test("can be looked for after the pages were uploaded", async ({ open, stack }) => {
    const desk = await open();
    await desk.go("/documents");
    const names = PAGES.map((name) => `${name}.pdf`);
    await upload(desk, names, { tags: ["harbour"] });
    for (const name of names) await isReady(desk, name);
    expect(await documentsNamed(stack, "Harbour rules")).toHaveLength(PAGES.length);
  });

  for (const name of PAGES) {
    test(`marks the letters of its best sentence only, and washes the passage, on a page that is ${name}`, async ({
      open,
    }) => {
      const { query, title, target, sentences } = passages[name] as Passages;
      const desk = await open({ density: 2, height: 1_400 });
      const { page, t } = desk;
      await desk.go("/search");
      await page.getByRole("searchbox", { name: t("search.query") }).fill(query);
      const link = page.getByRole("link", { name: new RegExp(`^\\d+\\. ${title}$`) });
      const hit = page.getByRole("listitem").filter({ has: link });
      const snippet = ((await hit.first().locator("blockquote").textContent()) ?? "").replaceAll(/\s+/g, " ");
      expect(sentences.filter(({ text }) => snippet.includes(text)).length).toBeGreaterThan(1);
      await link.first().click();

      for (const tool of name === "rotated-and-cropped" ? [null, ...SIZES] : [null]) {
        if (tool) await pressTool(desk, t(tool));
        const { mark, wash } = await lookAtHighlight(desk, sentences);
        for (const [index, { text }] of sentences.entries()) {
          const { pixels, highlighted } = mark[text] as Share;
          expect(pixels, text).toBeGreaterThan(200);
          // the page is one passage
          expect((wash[text] as Share).highlighted / pixels, text).toBeGreaterThan(0.99);
          if (index === target) expect(highlighted / pixels, text).toBeGreaterThan(0.99);
          else expect(highlighted / pixels, text).toBeLessThan(0.005);
        }
      }
    });
  }
});

describe("the crop of a hit", () => {
  for (const name of PAGES) {
    test(`marks the letters of the sentence that answers, and no other, on a page that is ${name}`, async ({
      open,
      stack,
    }) => {
      const { query, target, sentences } = passages[name] as Passages;
      const { id } = await added(stack, `${name}.pdf`);
      const { page } = await open({ density: 2 });
      const requests: string[] = [];
      page.on("request", (request) => request.url().includes("/image?") && requests.push(request.url()));
      const vitals = await watchVitals(page);
      await page.goto(`${stack.url}/search?${new URLSearchParams({ q: query, documents: JSON.stringify([id]) })}`);
      const crop = page.locator("li a[data-state=shown]").first();
      await crop.waitFor();
      const { mark } = await lookAtMarks(page, crop, crop.locator("span[style*=height]"), sentences);
      for (const [index, { text }] of sentences.entries()) {
        const { pixels, highlighted } = mark[text] as Share;
        if (index === target) {
          expect(pixels, text).toBeGreaterThan(50);
          expect(highlighted / pixels, text).toBeGreaterThan(0.97);
        } else expect(highlighted, text).toBeLessThan(0.02 * (mark[sentences[target]?.text ?? ""]?.pixels ?? 0));
      }
      expect(requests).toHaveLength(1);
      expect((await vitals()).layoutShift).toBeLessThan(0.01);
    });
  }

  test("is on a phone in the dark, and not there for a text file", async ({ open, stack }) => {
    for (const [name, count] of [
      ["aml-kyc-policy", 1],
      ["employee-handbook", 0],
    ] as const) {
      const [document] = await documentsNamed(stack, name);
      const desk = await open({ size: "phone", scheme: "dark" });
      const { page } = desk;
      await desk.go(
        `/search?${new URLSearchParams({ q: "policy", k: "1", documents: JSON.stringify([document?.id]) })}`,
      );
      await page.locator("blockquote").waitFor();
      const crop = page.locator("li a[data-state]");
      expect(await crop.count()).toBe(count);
      if (count > 0) {
        await page.locator("li a[data-state=shown]").waitFor();
        const box = await crop.boundingBox();
        expect(box?.width).toBeGreaterThan(280);
        await crop.click();
        await page.waitForURL(/\/documents\//);
      }
    }
  });
});

/** Files of which only pictures are there: page with the sentences, and whose sentences they are. */
const RECOGNIZED = {
  "scanned.pdf": [1, "upright"],
  "photographed.png": [1, "upright"],
  "faxed.tiff": [2, "gangway"],
} as const;
/** Share of letters that recognised boxes may miss, or cover beside the sentence. */
const TOLERANCE = 0.03;

describe("the highlight of recognised text", () => {
  for (const [name, [pageNumber, source]] of matrix(Object.entries(RECOGNIZED))) {
    test(`covers the letters of its sentence and no others in ${name}`, async ({ open, stack }) => {
      passages = JSON.parse(await readFile(join(stack.documents, "passages.json"), "utf-8"));
      const document = await added(stack, name);
      const { sentences, target } = passages[source] as Passages;
      const { text, char_start } = await ask<{ text: string; char_start: number }>(
        stack,
        `/documents/${document.id}/pages/${pageNumber}`,
      );
      const [first, end] = [text.indexOf("The ferryman keeps"), text.indexOf("below the deck.") + 15];
      expect(first).toBeGreaterThan(0);
      const desk = await open({ density: 2, height: 1_400 });
      await desk.go(`/documents/${document.id}?page=${pageNumber}&start=${char_start + first}&end=${char_start + end}`);
      for (const tool of [null, "reader.rotate"] as const) {
        if (tool) await desk.page.getByRole("button", { name: desk.t(tool), exact: true }).click();
        const { mark } = await lookAtHighlight(desk, sentences);
        for (const [index, { text: sentence }] of sentences.entries()) {
          const { pixels, highlighted } = mark[sentence] as Share;
          expect(pixels, sentence).toBeGreaterThan(200);
          if (index === target) expect(highlighted / pixels, sentence).toBeGreaterThan(1 - TOLERANCE);
          else expect(highlighted / pixels, sentence).toBeLessThan(TOLERANCE);
        }
      }
    });
  }
});

/** Press a button of the toolbar that changes the size of the page. */
async function pressTool({ page }: Desk, name: string): Promise<void> {
  const sheet = page.locator(".pdfViewer .page").first();
  const size = () => sheet.evaluate((it) => `${it.clientWidth}x${it.clientHeight}`);
  const before = await size();
  await page.getByRole("button", { name, exact: true }).click();
  await expect.poll(size).not.toBe(before);
}

/** Return the shares of each sentence on the rendered page that are marked, and that are at least washed. */
async function lookAtHighlight({ page }: Desk, sentences: Passages["sentences"]) {
  const sheet = page.locator("main :has(> .lectern-highlights)").first();
  const layer = sheet.locator("> .lectern-highlights");
  await layer.locator("[data-kind=wash]").first().waitFor();
  await layer.locator("> div:not([data-kind])").first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  // rectangles come from the API, so they may be there before the page of a PDF is drawn
  if (await page.locator(".pdfViewer").count()) {
    await page.locator(".pdfViewer .page:not(.loadingIcon) canvas").first().waitFor();
  }
  return lookAtMarks(page, sheet, layer, sentences);
}

/** Compare a picture of `sheet` with one without `marks`. */
async function lookAtMarks(page: Page, sheet: Locator, marks: Locator, sentences: Passages["sentences"]) {
  const marked = await settledPicture(sheet);
  await marks.evaluateAll((elements) => {
    for (const element of elements) (element as HTMLElement).style.visibility = "hidden";
  });
  const plain = await settledPicture(sheet);
  const table = await openTable(page);
  const colours = sentences.map(({ text, colour }) => ({ name: text, rgb: colour }));
  const pictures = { plain, marked };
  const shares = {
    mark: await sharesUnderHighlight(table, pictures, colours, DEPTHS.mark),
    wash: await sharesUnderHighlight(table, pictures, colours, DEPTHS.wash),
  };
  await table.context().close();
  return shares;
}

/** A picture that is the same twice: nothing is being drawn any more. */
async function settledPicture(target: Locator): Promise<Buffer> {
  let before = await target.screenshot();
  for (let tries = 0; tries < 50; tries += 1) {
    const now = await target.screenshot();
    if (now.equals(before)) return now;
    before = now;
  }
  throw new Error("the page never stopped changing");
}
