import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf-8");
const OPTIONS: RunOptions = {
  runOnly: {
    type: "tag",
    values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"],
  },
  resultTypes: ["violations"],
};

const COLOURS: RunOptions = { ...OPTIONS, runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } };

/** List the axe violations of a page, one line for each rule and element. */
export async function violationsOf(page: Page, { ofColours = false } = {}): Promise<string[]> {
  const isLoaded = await page.evaluate(() => "axe" in window);
  if (!isLoaded) await page.evaluate(source); // through the debugger, which the page's policy does not bind
  const { violations } = await page.evaluate(
    (options) => (window as unknown as { axe: { run: (o: RunOptions) => Promise<AxeResults> } }).axe.run(options),
    ofColours ? COLOURS : OPTIONS,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help} — ${node.target.join(" ")} — ${node.html.slice(0, 160)}`),
  );
}
