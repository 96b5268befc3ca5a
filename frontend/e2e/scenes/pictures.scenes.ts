import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, test as plain } from "vitest";
import { type Desk, expect, openDesk, test } from "../support/desk";
import { still } from "../support/screens";
import { RunningStack } from "../support/stack";
import { LIBRARY } from "./library";
import { prepare } from "./prepare";
import { READING } from "./reading";
import { RUNNING } from "./running";
import type { Scene } from "./scene";

const { LECTERN_SCENES_FOLDER: folder = "", LECTERN_SCENES_ONLY: only = "" } = process.env;
const SCENES = [...LIBRARY, ...READING, ...RUNNING].filter(({ name }) => new RegExp(only).test(name));
const WIDE = 1440;
const PATIENCE_MS = 30_000;
const ALL_MS = 3_600_000;

let empty: Promise<RunningStack> | undefined;
let prepared: Promise<void> | undefined;
afterAll(async () => (await empty)?.stop());

plain("each scene has a name of its own", () => {
  expect(new Set(SCENES.map(({ name }) => name)).size).toBe(SCENES.length);
});

for (const size of ["desktop", "phone"] as const) {
  for (const language of ["en", "it"] as const) {
    describe(`in ${language} on a ${size}`, () => {
      test("every scene is photographed", { timeout: ALL_MS }, async ({ stack }) => {
        await mkdir(folder, { recursive: true });
        prepared ??= prepare(stack);
        await prepared;
        const lost: string[] = [];
        for (const scene of SCENES) {
          if (scene.isEmpty) empty ??= RunningStack.start({ hasSamples: false });
          const desk = await openDesk(scene.isEmpty ? ((await empty)?.stack ?? stack) : stack, {
            language,
            size,
            isSignedIn: !scene.isStranger,
            ...(size === "desktop" ? { width: WIDE, height: 900 } : {}),
          });
          desk.page.context().setDefaultTimeout(PATIENCE_MS);
          try {
            await photograph(desk, scene, `${size}-${language}`);
          } catch (error) {
            lost.push(`${scene.name}: ${String(error).slice(0, 400)}`);
          }
          await desk.page.context().close();
        }
        expect(lost).toEqual([]);
      });
    });
  }
}

async function photograph(desk: Desk, { name, path, act, isWhole }: Scene, window: string): Promise<void> {
  const { page } = desk;
  await desk.go(path);
  await still(desk);
  await act?.(desk);
  await still(desk);
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
    const file = join(folder, `${name}-${window}-${scheme}.png`);
    await page.screenshot({ path: file, fullPage: isWhole ?? false, animations: "disabled", caret: "hide" });
  }
  const hasScrolled = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  if (hasScrolled) throw new Error("is wider than its window");
}
