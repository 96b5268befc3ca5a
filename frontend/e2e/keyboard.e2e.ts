import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describe } from "vitest";
import { ask, documentsNamed } from "./support/api";
import { type Desk, expect, test } from "./support/desk";
import { tabTo } from "./support/keys";
import { isReady } from "./support/uploading";

/** Open something from the keyboard, close it with Escape: the focus is where it was. */
async function comesBack({ page }: Desk, opener: Locator, layer: Locator, item?: Locator): Promise<void> {
  await opener.focus();
  await page.keyboard.press("Enter");
  if (item) {
    await item.focus();
    await page.keyboard.press("Enter");
  }
  await layer.waitFor();
  await expect.poll(() => layer.evaluate((it) => it.contains(document.activeElement))).toBe(true);
  await page.keyboard.press("Escape");
  await layer.waitFor({ state: "hidden" });
  await expect.poll(() => opener.evaluate((it) => it === document.activeElement)).toBe(true);
}

/** Open the menu of the button that has the focus, and go down to an item. */
async function choose(page: Page, item: Locator): Promise<void> {
  await page.keyboard.press("Enter");
  await item.waitFor();
  await expect
    .poll(() => item.evaluate((it) => it.closest("[role=menu]")?.contains(document.activeElement)))
    .toBe(true);
  const hasFocus = () => item.evaluate((it) => it === document.activeElement);
  for (let steps = 0; steps < 20 && !(await hasFocus()); steps += 1) await page.keyboard.press("ArrowDown");
  expect(await hasFocus()).toBe(true);
  await page.keyboard.press("Enter");
}

describe("by keyboard alone", () => {
  test("the closed menu of a phone is skipped, and the open one is not", async ({ open }) => {
    const desk = await open({ width: 390, height: 844 });
    const { page, t } = desk;
    await desk.go("/collections");
    const link = page.getByRole("link", { name: t("nav.tags"), exact: true });
    await page.getByRole("button", { name: t("nav.open") }).waitFor();
    await expect.poll(() => link.isVisible()).toBe(false);
    const isInWindow = () =>
      page.evaluate(() => {
        const { left, right } = document.activeElement?.getBoundingClientRect() ?? new DOMRect();
        return right > 0 && left < innerWidth;
      });
    for (let steps = 0; steps < 8; steps += 1) {
      await page.keyboard.press("Tab");
      expect(await isInWindow()).toBe(true);
    }
    await page.getByRole("button", { name: t("nav.open") }).press("Enter");
    await tabTo(page, link);
  });

  test("a person signs in, uploads a PDF, searches it and opens the hit at its highlight", async ({ open, stack }) => {
    const desk = await open({ isSignedIn: false });
    desk.expectComplaint(/401 .*\/api\/v1\/auth\/(me|refresh)/);
    const { page, t } = desk;
    const { keyboard } = page;
    await desk.go("/");
    await tabTo(page, page.getByLabel(t("account.email")));
    await keyboard.type(stack.email);
    await tabTo(page, page.locator("input[type=password]"));
    await keyboard.type(stack.password);
    await keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: t("nav.home") }).waitFor();
    await keyboard.press("g");
    await keyboard.press("d");
    await page.getByRole("heading", { level: 1, name: t("nav.documents") }).waitFor();

    // asked for before the key: the driver needs a moment until it hears of it
    const chooser = page.waitForEvent("filechooser");
    await tabTo(page, page.getByRole("button", { name: t("uploads.choose") }).first());
    await keyboard.press("Enter");
    await (await chooser).setFiles(join(stack.documents, "on-foot.pdf"));
    const dialog = page.getByRole("dialog", { name: t("uploads.dialog.title") });
    await tabTo(page, dialog.getByRole("button", { name: t("uploads.dialog.send", { count: 1 }) }));
    await keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    await isReady(desk, "on-foot.pdf");

    await keyboard.press("Control+k");
    await keyboard.type("8355 copper lanterns");
    await page.getByRole("option", { name: /8355 copper lanterns/, selected: true }).waitFor();
    await keyboard.press("Enter");
    await page.waitForURL(/\/search\?/);
    await tabTo(page, page.getByRole("link", { name: /^\d+\. Crossing on foot$/ }));
    await keyboard.press("Enter");
    await page.waitForURL(/\/documents\/.+[?&]start=/);
    const mark = page.locator(".pdfViewer .page[data-loaded=true] .lectern-highlights > *").first();
    await mark.waitFor();
    const isInSight = () =>
      mark.evaluate((it) => {
        const { top, bottom } = it.getBoundingClientRect();
        return top >= 0 && bottom <= window.innerHeight;
      });
    await expect.poll(isInSight).toBe(true);
  });

  test("what was opened gives the focus back to what opened it", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    const dialog = page.getByRole("dialog");
    await desk.go("/documents?q=policy");
    const actions = page.getByRole("button", { name: /^Actions for/ }).first();
    const edit = page.getByRole("menuitem", { name: t("documents.edit.title") });
    await comesBack(desk, actions, dialog, edit);
    await comesBack(desk, page.getByRole("button", { name: /Edit tags of/ }).first(), dialog);
    await comesBack(desk, page.getByRole("button", { name: t("palette.open") }), dialog);

    await desk.go("/tags");
    const create = page.getByRole("button", { name: t("tags.new"), exact: true });
    await comesBack(desk, create, dialog);
    const tag = page.getByRole("button", { name: /aml/ }).last();
    await comesBack(desk, tag, dialog, page.getByRole("menuitem", { name: t("actions.delete") }));
  });

  test("letters walk along the list, select, edit and delete, and the space bar peeks", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    const { keyboard } = page;
    await desk.go("/documents?q=policy.pdf&sort=title");
    const rows = page.locator("table[aria-busy=false] tbody tr");
    await rows.nth(3).waitFor();
    const titles = await rows.locator("a[data-opens]").allTextContents();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await keyboard.press("j");
    await keyboard.press("j");
    await expect.poll(focused).toBe(titles[1]);
    await keyboard.press("k");
    await keyboard.press("x");
    await page.getByRole("region", { name: t("documents.bulk.label") }).waitFor();
    await keyboard.press("x");

    const panel = page.getByRole("region", { name: t("documents.peek.title") });
    await keyboard.press("Space");
    await panel.getByRole("heading", { name: titles[0] ?? "" }).waitFor();
    await panel.locator("[data-state=shown]").waitFor();
    await keyboard.press("ArrowDown");
    await panel.getByRole("heading", { name: titles[1] ?? "" }).waitFor();
    await keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    await expect.poll(focused).toBe(titles[1]);

    await keyboard.press("e");
    const dialog = page.getByRole("dialog", { name: t("documents.edit.title") });
    const field = dialog.getByRole("textbox", { name: t("documents.edit.titleField") });
    expect(await field.inputValue()).toBe(titles[1]);
    await field.pressSequentially("jx# e");
    expect(await field.inputValue()).toBe(`${titles[1]}jx# e`);
    await keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await expect.poll(focused).toBe(titles[1]);

    const before = (await documentsNamed(stack, "policy.pdf")).length;
    await keyboard.press("#");
    await rows.filter({ hasText: titles[1] ?? "" }).waitFor({ state: "hidden" });
    await expect.poll(focused).toBe(titles[2]);
    const undo = page.getByRole("button", { name: t("actions.undo") });
    await undo.click();
    await undo.waitFor({ state: "detached" });
    await expect.poll(() => documentsNamed(stack, "policy.pdf").then((all) => all.length)).toBe(before);
    await expect.poll(focused).toBe(titles[2]);

    const row = rows.filter({ hasText: titles[1] ?? "" });
    await row.getByRole("button", { name: /^Actions for/ }).focus();
    await choose(page, page.getByRole("menuitem", { name: t("documents.toTrash") }));
    await row.waitFor({ state: "hidden" });
    await expect.poll(focused).toBe(titles[2]);
    await undo.press("Enter");
    await undo.waitFor({ state: "detached" });
    await row.waitFor();
    await expect.poll(focused).toBe(titles[2]);

    await keyboard.press("x");
    const bar = page.getByRole("region", { name: t("documents.bulk.label") });
    await bar.getByRole("button", { name: t("documents.bulk.delete") }).press("Enter");
    await bar.waitFor({ state: "hidden" });
    await rows.filter({ hasText: titles[2] ?? "" }).waitFor({ state: "hidden" });
    await expect.poll(focused).toBe(titles[3]);
    await undo.press("Enter");
    await rows.filter({ hasText: titles[2] ?? "" }).waitFor();

    await keyboard.press("?");
    await page.getByRole("region", { name: t("shortcuts.group.list") }).waitFor();
  });

  test("a document is shared and no longer, and a folder is watched and left", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    const { keyboard } = page;
    const email = `keys-${Date.now()}@example.org`;
    const account = { email, password: "a long password of nobody", role: "reader" };
    await ask(stack, "/users", { method: "POST", body: JSON.stringify(account) });
    const dialog = page.getByRole("dialog");

    await desk.go("/documents?q=annual-report-2025");
    await tabTo(page, page.getByRole("button", { name: /^Actions for/ }));
    await choose(page, page.getByRole("menuitem", { name: t("documents.share") }));
    await tabTo(page, dialog.getByLabel(t("sharing:email")));
    await keyboard.type(email);
    await keyboard.press("Enter");
    const remove = dialog.getByRole("button", { name: t("sharing:remove", { email }) });
    await tabTo(page, remove);
    await keyboard.press("Enter");
    await remove.waitFor({ state: "hidden" });
    await keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });

    const name = `Letters ${Date.now()}`;
    await ask(stack, "/collections", { method: "POST", body: JSON.stringify({ name, is_open: true }) });
    const folder = await mkdtemp(join(stack.documents, "letters-"));
    await desk.go("/collections");
    await tabTo(page, page.getByRole("button", { name: t("documents.actionsOf", { title: name }) }));
    await choose(page, page.getByRole("menuitem", { name: t("collections:folder.action") }));
    await tabTo(page, dialog.getByLabel(t("collections:folder.path")));
    await keyboard.type(folder);
    await keyboard.press("Enter");
    await tabTo(page, dialog.getByRole("button", { name: t("collections:folder.stop") }));
    await keyboard.press("Enter");
    await dialog.getByLabel(t("collections:folder.path")).waitFor();
    await keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  });

  test("letters typed right after the shortcut are in the palette", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/documents");
    const field = page.getByRole("combobox", { name: t("palette.placeholder") });
    const filter = page.getByRole("searchbox", { name: t("documents.filter.text") });
    for (const opener of [page.locator("body"), filter]) {
      await opener.press("Control+k");
      await page.keyboard.type("g syt?", { delay: 0 }); // among them what would go elsewhere as a shortcut
      await page.keyboard.press("Backspace");
      await page.keyboard.press("Backspace");
      await page.keyboard.type("stem");
      expect(await field.inputValue()).toBe("g system");
      await page.keyboard.press("Escape");
      await field.waitFor({ state: "hidden" });
    }
    expect(await filter.inputValue()).toBe("");
    await expect.poll(() => filter.evaluate((it) => it === document.activeElement)).toBe(true);
    expect(new URL(page.url()).pathname).toBe("/documents");

    await page.keyboard.press("Control+k");
    await page.keyboard.type("system");
    await page.getByRole("option", { name: t("nav.system"), selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/system$/);
  });

  test("the settings have a list of their own, and the focus goes along", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/documents");
    const main = page.getByRole("navigation", { name: t("nav.main") });
    expect(await main.getByRole("link", { name: t("nav.users") }).count()).toBe(0);
    await main.getByRole("link", { name: t("nav.settings"), exact: true }).press("Enter");
    const settings = page.getByRole("navigation", { name: t("nav.settings") });
    await settings
      .getByRole("link", { name: t("nav.keys"), exact: true })
      .and(page.locator(":focus"))
      .waitFor();
    for (const name of [
      "nav.security",
      "nav.golden",
      "nav.users",
      "nav.signIn",
      "nav.webhooks",
      "nav.activity",
      "nav.system",
    ] as const) {
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      const link = settings.getByRole("link", { name: t(name), exact: true }).and(page.locator("[aria-current=page]"));
      await link.and(page.locator(":focus")).waitFor();
      await page.getByRole("heading", { level: 1, name: t(name) }).waitFor();
    }
    await settings.getByRole("link", { name: t("nav.library"), exact: true }).press("Enter");
    await main
      .getByRole("link", { name: t("nav.home"), exact: true })
      .and(page.locator(":focus"))
      .waitFor();
  });

  test("the drawer of a phone stays open from the library to the settings, and closes at a page", async ({ open }) => {
    const desk = await open({ size: "phone" });
    const { page, t } = desk;
    await desk.go("/documents");
    await page.getByRole("button", { name: t("nav.open") }).click();
    await page.getByRole("link", { name: t("nav.settings"), exact: true }).click();
    const settings = page.getByRole("navigation", { name: t("nav.settings") });
    await settings.getByRole("link", { name: t("nav.keys"), exact: true }).click();
    await page.getByRole("button", { name: t("nav.open") }).click();
    await settings.getByRole("link", { name: t("nav.system"), exact: true }).click();
    await page.getByRole("button", { name: t("nav.open") }).waitFor();
    await page.getByRole("heading", { level: 1, name: t("nav.system") }).waitFor();
  });

  test("each page names the window, a document by its title", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/documents?q=aml-kyc");
    expect(await page.title()).toBe(`${t("nav.documents")} · Lectern`);
    await page
      .getByRole("link", { name: /Anti-Money Laundering/ })
      .first()
      .press("Enter");
    await page.waitForURL(/\/documents\/.+/);
    await expect.poll(() => page.title()).toMatch(/^Anti-Money Laundering .* · Lectern$/);
    await page.getByRole("link", { name: t("nav.search"), exact: true }).press("Enter");
    await expect.poll(() => page.title()).toBe(`${t("nav.search")} · Lectern`);
  });
});
