// The numbers of docs/design.md: `npm run measure` prints them for a fresh library of samples.
import { availableParallelism, loadavg } from "node:os";
import type { Page } from "playwright-core";
import { describe } from "vitest";
import { documentsNamed } from "./support/api";
import { type Desk, expect, test } from "./support/desk";
import { screensOf, titlePlace } from "./support/screens";
import { watchVitals } from "./support/vitals";

const MANY_MS = 900_000;
const WINDOW = { width: 1440, height: 900 };
const ROUNDS = 5;
const QUESTION = "For how many years are records kept after the end of the relationship?";
const SEARCH = `/search?q=${encodeURIComponent(QUESTION)}`;
const MARK = ".lectern-highlights > div:not([data-kind])";

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

interface Visit {
  name: string;
  path: string;
  ready: string;
  use: (desk: Desk) => Promise<void>;
}

const visitsOf = (documentId: string): Visit[] => [
  {
    name: "Documents",
    path: "/documents",
    ready: "table[aria-busy=false] tbody tr",
    use: async ({ page, t }) => {
      for (const key of ["j", "j", "k"]) await page.keyboard.press(key);
      await page.getByRole("button", { name: t("documents.column.title") }).click();
      await page.waitForURL(/sort=/);
    },
  },
  {
    name: "Search",
    path: SEARCH,
    ready: "blockquote",
    use: async ({ page, t }) => {
      await page.keyboard.type(" now");
      await page
        .getByRole("button", { name: t("search.details") })
        .first()
        .click();
      await page.waitForURL(/now/);
    },
  },
  {
    name: "Reader",
    path: `/documents/${documentId}?page=3&start=3000&end=3250`,
    ready: MARK,
    use: async ({ page, t }) => {
      for (const tool of ["reader.zoomIn", "reader.zoomOut"] as const) {
        await page.getByRole("button", { name: t(tool), exact: true }).click();
      }
      await page.getByRole("tab", { name: t("document.panel.info") }).click();
    },
  },
];

/** Until the frame after the last interaction is on the screen, and reported. */
const reported = (page: Page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));

describe("the interface", () => {
  test("is measured", { timeout: MANY_MS }, async ({ open, stack }) => {
    const rows: [string, string, string][] = [];
    const [policy] = await documentsNamed(stack, "aml-kyc-policy");

    const list = await open(WINDOW);
    await list.page.goto(`${stack.url}/documents`);
    await list.page.locator("table[aria-busy=false] tbody tr").first().waitFor();
    const fitting = await list.page.locator("tbody tr").evaluateAll((all) => {
      const { top, height } = all[0]?.getBoundingClientRect() ?? { top: 0, height: 1 };
      return Math.floor((window.innerHeight - top) / height);
    });
    rows.push(["Rows of Documents at 1440 x 900", "20", String(fitting)]);
    const titles = new Set<string>();
    for (const screen of await screensOf(list)) {
      await list.go(screen.path);
      const place = await titlePlace(list, screen);
      if (place) titles.add(place.split(",")[0] ?? "");
    }
    rows.push(["x of the title on all pages (px)", "one value", [...titles].join(", ")]);

    await list.go(SEARCH);
    await list.page.locator("#hit-1 blockquote").waitFor();
    const weights = await list.page.locator("#hit-1").evaluate((hit) => {
      const elements = [...hit.querySelectorAll("*")].filter((element) =>
        [...element.childNodes].some(({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim()),
      );
      return [...new Set(elements.filter((it) => it.checkVisibility()).map((it) => getComputedStyle(it).fontWeight))];
    });
    rows.push(["Text weights of a hit", "2", `${weights.length} (${weights.sort().join(", ")})`]);

    for (const { name, path, ready, use } of visitsOf(policy?.id ?? "")) {
      const paints: number[] = [];
      const interactions: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const desk = await open(WINDOW);
        const vitals = await watchVitals(desk.page);
        await desk.page.goto(`${stack.url}${path}`);
        await desk.page.locator(ready).first().waitFor();
        await reported(desk.page);
        paints.push((await vitals()).largestPaint);
        await use(desk);
        await reported(desk.page);
        interactions.push((await vitals()).slowestInteraction);
        await desk.page.context().close();
      }
      rows.push([`LCP of ${name} (ms)`, "≤ 1,200", String(Math.round(median(paints)))]);
      rows.push([`Slowest interaction of ${name} (ms)`, "≤ 100", String(Math.round(median(interactions)))]);
    }

    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { page } = await open(WINDOW);
      await page.goto(`${stack.url}${SEARCH}`);
      await page.locator("#hit-1 blockquote").waitFor();
      await reported(page);
      const started = Date.now();
      await page.locator("#hit-1 a").first().click();
      await page.locator(MARK).first().waitFor();
      times.push(Date.now() - started);
      await page.context().close();
    }
    rows.push(["From the click on a hit to its highlight (ms)", "≤ 1,000", String(median(times))]);

    const load = `${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`;
    console.log(
      ["| Measure | Wanted | Measured |", "|---|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n"),
      `\nMedian of ${ROUNDS} windows. Load of the machine: ${load}.`,
    );
    expect(rows).toHaveLength(10);
  });
});
