import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

const MOST_STOPS = 150;

const hasFocus = (target: Locator) =>
  target.evaluateAll((found) => found.some((element) => element === document.activeElement));

/** Go from stop to stop with Tab, as far as the target, which shows that it has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor();
  for (let stops = 0; !(await hasFocus(target)); stops += 1) {
    if (stops === MOST_STOPS) throw new Error(`Tab does not lead to ${target}`);
    await page.keyboard.press("Tab");
  }
  const isSeen = await page.evaluate(() => {
    const { activeElement: element } = document;
    if (!element?.matches(":focus-visible")) return false;
    // a field shows it by its border, what stands in a wrapper by the wrapper's
    if (element.matches("input, textarea, select")) return true;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
  });
  expect(isSeen, `the focus is seen on ${target}`).toBe(true);
}
