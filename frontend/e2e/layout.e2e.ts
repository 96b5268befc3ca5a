import { describe } from "vitest";
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
