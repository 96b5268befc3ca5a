import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { expect, openDesk, test } from "./support/desk";
import { REPOSITORY, RunningStack } from "./support/stack";

const START_MS = 240_000;

/** Give all code other names, as another build does. */
async function update(ui: string): Promise<void> {
  const assets = join(ui, "assets");
  const names = (await readdir(assets)).filter((name) => name.endsWith(".js"));
  for (const file of [join(ui, "index.html"), ...names.map((name) => join(assets, name))]) {
    const text = await readFile(file, "utf-8");
    await writeFile(
      file,
      text.replaceAll(/[\w-]+\.js\b/g, (name) => (names.includes(name) ? `next-${name}` : name)),
    );
  }
  for (const name of names) await rename(join(assets, name), join(assets, `next-${name}`));
}

describe("a window that is open while the server is updated", () => {
  test(
    "says so without losing what is typed, and reloads once with the next page",
    async () => {
      const ui = await mkdtemp(join(tmpdir(), "lectern-ui-"));
      await cp(process.env.LECTERN_E2E_UI_DIR ?? join(REPOSITORY, "frontend", "dist"), ui, { recursive: true });
      for (const name of await readdir(ui, { recursive: true })) if (/\.(br|gz)$/.test(name)) await rm(join(ui, name));
      const running = await RunningStack.start({ hasSamples: false, variables: () => ({ LECTERN_UI_DIR: ui }) });
      try {
        const { page, t, ...desk } = await openDesk(running.stack, {});
        let loads = 0;
        page.on("load", () => {
          loads += 1;
        });
        await page.goto(`${desk.stack.url}/keys`);
        const field = page.getByLabel(t("keys:name")).first();
        await field.fill("half a thought");
        await update(ui);

        const link = page.getByRole("link", { name: t("nav.users") });
        await link.hover();
        await page.getByText(t("errors.updated")).waitFor();
        expect(await field.inputValue()).toBe("half a thought");
        expect(loads).toBe(1);
        await link.click();
        await page.getByRole("heading", { level: 1, name: t("nav.users") }).waitFor();
        await page.getByText(t("errors.updated")).waitFor({ state: "hidden" });
        expect(loads).toBe(2);
        await page.context().close();
      } finally {
        await running.stop();
        await rm(ui, { recursive: true });
      }
    },
    START_MS,
  );
});
