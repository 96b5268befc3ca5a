import type { Locator } from "playwright-core";
import { beforeAll, describe, inject } from "vitest";
import { type Desk, expect, test } from "./support/desk";
import { runPython } from "./support/stack";
import { WorkMeter } from "./support/work";

const MOST_MS = 200;
/** A key that takes longer than this to be worked off is felt. */
const MOST_PER_KEY_MS = 50;

type Numbers = Record<string, number>;

beforeAll(() => {
  const [documents, tags] = runPython("fill_library.py", inject("stack").dataFolder).split(" ").map(Number);
  expect(documents).toBeGreaterThanOrEqual(10_000);
  expect(tags).toBeGreaterThanOrEqual(1_000);
});

/** The list shows what its address asks for. */
async function settled({ page }: Desk): Promise<void> {
  await page.locator("table[aria-busy=false] tbody tr").first().waitFor();
}

const over = (found: Numbers, most: number) => Object.entries(found).filter(([, work]) => !(work < most));

describe("a library of 10,000 documents and 1,000 tags", () => {
  test("changes filters, order and pages with little work", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/documents");
    await settled(desk);
    const meter = await WorkMeter.on(page);
    const works: Numbers = {};
    /**
     * A click where the mouse is already: to find a control costs the page more than to obey it. Of several changes of
     * a kind the least counts, because what shares the processor only ever adds.
     */
    const change = async (kind: string, control: Locator, address: RegExp) => {
      await control.hover();
      const work = await meter.total(async () => {
        await page.mouse.down();
        await page.mouse.up();
        await page.waitForURL(address);
        await settled(desk);
      });
      works[kind] = Math.min(Math.round(work), works[kind] ?? Number.POSITIVE_INFINITY);
    };
    const filter = (key: "status" | "tags" | "collection") =>
      page
        .getByRole("button", { name: new RegExp(`^${t(`documents.filter.${key}`)}`) })
        .and(page.locator("[aria-haspopup]"));
    const box = (name: RegExp) => page.getByRole("checkbox", { name });

    const next = page.getByRole("button", { name: t("actions.next") });
    for (const number of [2, 3, 4]) await change("next page", next, new RegExp(`page=${number}`));
    const previous = page.getByRole("button", { name: t("actions.previous") });
    for (const number of [3, 2]) await change("page before", previous, new RegExp(`page=${number}`));
    const title = page.getByRole("button", { name: t("documents.column.title") });
    for (const sort of ["title", "-title", "title"]) await change("order", title, new RegExp(`sort=${sort}`));

    await filter("status").click();
    const ready = box(new RegExp(`^${t("documents.statusName.ready")}`));
    for (const address of [/status=/, /^(?!.*status)/, /status=/]) await change("status", ready, address);
    await page.keyboard.press("Escape");
    await filter("collection").click();
    const charts = box(/^Charts/);
    for (const address of [/collections=/, /^(?!.*collections)/, /collections=/])
      await change("collection", charts, address);
    await page.keyboard.press("Escape");
    await filter("tags").click();
    await page.getByLabel(t("documents.filter.findTag")).fill("ship 0001");
    const states = page.getByRole("group", { name: "ship 0001" });
    for (const [state, address] of [
      ["any", /[?&]tags=/],
      ["all", /allTags=/],
      ["none", /noTags=/],
    ] as const) {
      const name = t(`documents.tagState.${state}.short`);
      await change("tag", states.getByRole("button", { name, exact: true }), address);
    }

    console.log(works);
    expect(over(works, MOST_MS)).toEqual([]);
  });

  test("shows twenty documents on a screen of 1440 x 900", async ({ open }) => {
    const desk = await open({ width: 1440, height: 900 });
    await desk.go("/documents");
    await settled(desk);
    const rows = await desk.page
      .locator("tbody tr")
      .evaluateAll((all) => all.filter((row) => row.getBoundingClientRect().bottom <= window.innerHeight).length);
    expect(rows).toBeGreaterThanOrEqual(20);
  });

  test("never keeps a typing hand waiting", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/documents");
    await settled(desk);
    const meter = await WorkMeter.on(page);
    const keys: Numbers = {};
    /** The longest task between two keys of somebody who types without a pause. */
    const typing = async (name: string, field: Locator, words: string) => {
      await field.click();
      const longest = await meter.longestTask(async () => {
        for (const key of words) await page.keyboard.press(key);
      });
      expect(await field.inputValue()).toBe(words);
      keys[name] = Math.round(longest);
    };

    await page
      .getByRole("button", { name: t("documents.filter.tags"), exact: true })
      .and(page.locator("[aria-haspopup]"))
      .click();
    await typing("filter of tags", page.getByLabel(t("documents.filter.findTag")), "ship 00");
    await page.keyboard.press("Escape");
    await page.getByLabel(t("documents.selectPage")).check();
    const bar = page.getByRole("region", { name: t("documents.bulk.label") });
    await bar.getByRole("button", { name: t("documents.bulk.tag"), exact: true }).click();
    const picker = page.getByLabel(t("documents.bulk.tagLabel")).and(page.locator("input"));
    await typing("choice of tags", picker, "ship 047");
    await desk.go("/documents");
    await settled(desk);
    await typing("text", page.getByRole("searchbox", { name: t("documents.filter.text") }), "voyage 4711");
    await page.waitForURL(/q=voyage/);
    await settled(desk);
    await page.keyboard.press("Control+k");
    await typing("palette", page.getByLabel(t("palette.placeholder")), "journal of");
    await desk.go("/tags");
    await typing("page of tags", page.getByRole("searchbox"), "ship 05");

    console.log(keys);
    expect(over(keys, MOST_PER_KEY_MS)).toEqual([]);
  });
});
