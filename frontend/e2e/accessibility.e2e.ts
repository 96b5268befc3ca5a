import { describe } from "vitest";
import { violationsOf } from "./support/axe";
import { type Appearance, expect, test } from "./support/desk";
import { LAYERS, makeWhatLayersNeed } from "./support/layers";
import { matrix } from "./support/matrix";
import { screensOf, show } from "./support/screens";

// Colours depend neither on the language nor, but for a list or two, on the size: not every combination is seen.
// A second scheme changes nothing but colours.
const WINDOWS: (Required<Pick<Appearance, "language" | "size">> & { schemes: ("light" | "dark")[] })[] = [
  { language: "en", size: "desktop", schemes: ["light", "dark"] },
  { language: "it", size: "phone", schemes: ["dark"] },
];
const SCHEMES = ["light", "dark"] as const;
const MANY_SCREENS_MS = 900_000;
const NOT_SIGNED_IN = /401 .*\/api\/v1\/auth\/(me|refresh)/;

describe("every screen", () => {
  for (const { language, size, schemes } of matrix(WINDOWS)) {
    test(`can be used by everybody, its title at the same place, in ${language} on a ${size}`, {
      timeout: MANY_SCREENS_MS,
    }, async ({ open }) => {
      const desk = await open({ language, size });
      const { page } = desk;
      const found: string[] = [];
      const titles = new Map<string, string[]>();
      for (const screen of await screensOf(desk)) {
        const place = await show(desk, screen);
        if (place) titles.set(place, [...(titles.get(place) ?? []), screen.name]);
        for (const [number, scheme] of matrix(schemes).entries()) {
          await page.emulateMedia({ colorScheme: scheme });
          await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
          await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
          const seen = `${screen.name}, ${scheme}`;
          for (const line of await violationsOf(page, { ofColours: number > 0 })) found.push(`${seen}: ${line}`);
        }
        const { lang, scrollWidth, clientWidth, title } = await page.evaluate(() => {
          const { lang, scrollWidth, clientWidth } = document.documentElement;
          return { lang, scrollWidth, clientWidth, title: document.title };
        });
        if (!/^.+ · Lectern$/.test(title)) found.push(`${screen.name}: the window is called ${title}`);
        if (scrollWidth > clientWidth) found.push(`${screen.name}: is ${scrollWidth} wide on ${clientWidth}`);
        if (lang !== language) found.push(`${screen.name}: is in ${lang}`);
      }
      expect(found).toEqual([]);
      if (size === "desktop") expect([...titles]).toHaveLength(1);
    });
  }

  for (const { language, size, schemes } of matrix(WINDOWS)) {
    test(`has menus and dialogs that everybody can use, in ${language} on a ${size}`, {
      timeout: MANY_SCREENS_MS,
    }, async ({ open, stack }) => {
      await makeWhatLayersNeed(stack);
      const desk = await open({ language, size });
      const { page } = desk;
      const found: string[] = [];
      let path = "";
      for (const layer of LAYERS) {
        if (layer.path !== path) await desk.go(layer.path);
        path = layer.path;
        await layer.open(desk);
        await page.locator("[role=dialog], [role=menu], [role=listbox]").filter({ visible: true }).first().waitFor();
        for (const [number, scheme] of matrix(schemes).entries()) {
          await page.emulateMedia({ colorScheme: scheme });
          await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
          for (const line of await violationsOf(page, { ofColours: number > 0 }))
            found.push(`${layer.name}, ${scheme}: ${line}`);
        }
        await page.keyboard.press("Escape");
        await page
          .locator("[role=dialog], [role=menu], [role=listbox]")
          .filter({ visible: true })
          .waitFor({ state: "hidden" });
      }
      expect(found).toEqual([]);
    });
  }

  test("of a stranger can be used by everybody", async ({ open }) => {
    for (const scheme of SCHEMES) {
      const desk = await open({ isSignedIn: false, scheme, size: scheme === "dark" ? "phone" : "desktop" });
      desk.expectComplaint(NOT_SIGNED_IN);
      await desk.go("/");
      expect(await violationsOf(desk.page)).toEqual([]);
    }
  });

  test("is in the language and the colours that were chosen, also after a reload", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/documents");
    await page.getByRole("button", { name: t("account.menu") }).click();
    await page.getByRole("menuitemradio", { name: t("appearance.dark") }).click();
    await page.getByRole("button", { name: t("account.menu") }).click();
    await page.getByRole("menuitemradio", { name: "Italiano" }).click();

    await page.getByRole("heading", { level: 1, name: "Documenti" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Documenti" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.mantineColorScheme)).toBe("dark");
  });
});
