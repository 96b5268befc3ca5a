import { join } from "node:path";
import type { Desk } from "../support/desk";
import { slowDown } from "../support/network";
import { isReady, lineOf, upload } from "../support/uploading";
import { becomeReader, CLOSED, DROPPED, LOCKED, PASSING, putBack, SHARED } from "./prepare";
import { button, choose, dialogOf, menuOf, press, type Scene, seen } from "./scene";

const FOUND = "/documents?q=policy";

/** The list of documents, what opens over it, and what comes in and goes out. */
export const LIBRARY: Scene[] = [
  { name: "home", path: "/" },
  {
    name: "home-empty",
    path: "/",
    isEmpty: true,
    act: (desk) => seen(desk.page.getByText(desk.t("firstRun.title"))),
  },
  { name: "documents", path: "/documents" },
  { name: "documents-whole", path: "/documents", isWhole: true },
  { name: "documents-filtered", path: "/documents?tags=policy&status=ready&q=policy" },
  {
    name: "documents-peek",
    path: FOUND,
    act: async (desk) => {
      await seen(desk.page.locator("main a[data-opens]"));
      await desk.page.keyboard.press("j");
      await desk.page.keyboard.press("Space");
      await seen(desk.page.locator("[data-peek] [data-state=shown]"));
    },
  },
  {
    name: "documents-grid",
    path: "/documents",
    act: async (desk) => {
      await press(desk, desk.t("documents.grid.show"));
      await seen(desk.page.locator("li[data-document] [data-state=shown]"));
    },
  },
  { name: "documents-none", path: "/documents?q=nothing-is-called-so" },
  { name: "documents-first-run", path: "/documents", isEmpty: true },
  {
    name: "documents-filters",
    path: "/documents?status=ready&tags=policy",
    act: async (desk) => {
      if (!(await openFilters(desk))) await press(desk, desk.t("documents.filter.status"));
    },
  },
  ...(["tags", "collection", "type", "language", "added"] as const).map(
    (filter): Scene => ({
      name: `documents-filter-${filter}`,
      path: "/documents",
      act: async (desk) => {
        await openFilters(desk);
        await desk.page
          .locator("main")
          .getByRole("button", { name: desk.t(`documents.filter.${filter}`), exact: true })
          .and(desk.page.locator("[aria-haspopup=dialog]"))
          .click();
        await seen(dialogOf(desk));
      },
    }),
  ),
  {
    name: "documents-views",
    path: FOUND,
    act: (desk) => press(desk, desk.t("documents.views.title")),
  },
  {
    name: "documents-save-view",
    path: FOUND,
    act: async (desk) => {
      await press(desk, desk.t("documents.views.title"));
      await desk.page.getByRole("menuitem", { name: desk.t("documents.views.save") }).click();
      await seen(dialogOf(desk));
    },
  },
  {
    name: "document-menu",
    path: FOUND,
    act: async (desk) => {
      await menuOf(desk, "").click();
      await seen(desk.page.getByRole("menuitem", { name: desk.t("documents.toTrash") }));
    },
  },
  {
    name: "document-edit",
    path: FOUND,
    act: (desk) => choose(desk, "", desk.t("documents.edit.title")).then(() => seen(dialogOf(desk))),
  },
  {
    name: "document-move",
    path: FOUND,
    act: (desk) => choose(desk, "", desk.t("documents.move.title")).then(() => seen(dialogOf(desk))),
  },
  {
    name: "document-tags",
    path: FOUND,
    act: async (desk) => {
      const { page, t } = desk;
      await button(desk, new RegExp(t("documents.editTags", { title: "" }).trim()))
        .first()
        .click();
      await seen(dialogOf(desk));
      await page.keyboard.type("p");
      await seen(page.getByRole("option"));
    },
  },
  {
    name: "documents-bulk",
    path: "/documents",
    act: (desk) => select(desk, 2),
  },
  {
    name: "documents-bulk-tag",
    path: "/documents",
    act: async (desk) => {
      await select(desk, 2);
      const bar = desk.page.getByRole("region", { name: desk.t("documents.bulk.label") });
      await bar.getByRole("button", { name: desk.t("documents.bulk.tag"), exact: true }).click();
      await seen(dialogOf(desk));
    },
  },
  {
    name: "documents-bulk-move",
    path: "/documents",
    act: async (desk) => {
      await select(desk, 2);
      const bar = desk.page.getByRole("region", { name: desk.t("documents.bulk.label") });
      await bar.getByRole("button", { name: desk.t("documents.bulk.move"), exact: true }).click();
      await seen(dialogOf(desk));
    },
  },
  { name: "documents-failed", path: "/documents?status=failed" },
  {
    name: "documents-password",
    path: `/documents?q=${LOCKED}`,
    act: async (desk) => {
      await press(desk, new RegExp(desk.t("documents.password.enter")));
      await seen(dialogOf(desk));
    },
  },
  {
    name: "documents-undo",
    path: `/documents?q=${PASSING}`,
    act: async (desk) => {
      await putBack(desk.stack, PASSING);
      await choose(desk, "", desk.t("documents.toTrash"));
      await seen(button(desk, desk.t("actions.undo")));
    },
  },
  {
    name: "upload-dialog",
    path: "/documents",
    act: (desk) => pick(desk, ["light.pdf", "upright.pdf"]),
  },
  {
    name: "upload-own-details",
    path: "/documents",
    act: async (desk) => {
      await pick(desk, ["light.pdf", "upright.pdf"]);
      await press(desk, new RegExp(desk.t("uploads.dialog.editFile", { filename: "light.pdf" })));
    },
  },
  {
    name: "upload-tray",
    path: "/documents",
    act: async (desk) => {
      await upload(desk, ["locked.pdf", "upright.pdf", "privacy-copy.pdf"]);
      await isReady(desk, "upright.pdf").catch(() => undefined);
      await slowDown(desk.page, 40_000);
      await upload(desk, ["heavy.pdf"]);
      await lineOf(desk, "heavy.pdf").getByRole("progressbar").waitFor();
    },
  },
  {
    name: "drop",
    path: "/documents",
    act: async ({ page, t }) => {
      await page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["x"], "x.txt"));
        window.dispatchEvent(new DragEvent("dragenter", { dataTransfer, bubbles: true }));
        document.body.dispatchEvent(new DragEvent("dragenter", { dataTransfer, bubbles: true }));
      });
      await seen(page.getByText(t("uploads.dropHere")));
    },
  },
  { name: "trash", path: `/trash` },
  { name: "trash-none", path: "/trash?q=nothing-is-called-so" },
  { name: "trash-empty", path: "/trash", isEmpty: true },
  {
    name: "trash-delete",
    path: `/trash?q=${DROPPED}`,
    act: async (desk) => {
      await press(desk, desk.t("trash:purge"));
      await seen(dialogOf(desk));
    },
  },
  { name: "tags", path: "/tags" },
  { name: "tags-empty", path: "/tags", isEmpty: true },
  {
    name: "share-document",
    path: `/documents?q=${SHARED}`,
    act: (desk) => choose(desk, "", desk.t("documents.share")).then(() => seen(dialogOf(desk).getByRole("list"))),
  },
  {
    name: "share-tag",
    path: "/tags",
    act: (desk) => choose(desk, "policy", desk.t("documents.share")).then(() => seen(dialogOf(desk).getByRole("list"))),
  },
  {
    name: "shared-with-me",
    path: "/tags",
    act: async (desk) => {
      await becomeReader(desk);
      await desk.go("/documents?shared=true");
      await seen(desk.page.locator("main a[data-opens]"));
    },
  },
  { name: "tag-menu", path: "/tags", act: (desk) => menuOf(desk, "aml").click() },
  {
    name: "tag-new",
    path: "/tags",
    act: async (desk) => {
      await press(desk, desk.t("tags.new"));
      await seen(dialogOf(desk));
    },
  },
  {
    name: "tag-edit",
    path: "/tags",
    act: (desk) => choose(desk, "aml", desk.t("tags.edit")).then(() => seen(dialogOf(desk))),
  },
  {
    name: "tag-merge",
    path: "/tags",
    act: (desk) => choose(desk, "aml", desk.t("tags.merge.title")).then(() => seen(dialogOf(desk))),
  },
  {
    name: "tag-delete",
    path: "/tags",
    act: (desk) => choose(desk, "aml", desk.t("actions.delete")).then(() => seen(dialogOf(desk))),
  },
  {
    name: "tags-selected",
    path: "/tags",
    act: async ({ page }) => {
      for (const index of [0, 1]) await page.locator("main li input[type=checkbox]").nth(index).check();
    },
  },
  { name: "collections", path: "/collections" },
  { name: "collection-menu", path: "/collections", act: (desk) => menuOf(desk, CLOSED).click() },
  {
    name: "collection-new",
    path: "/collections",
    act: async (desk) => {
      await press(desk, desk.t("collections:new"));
      await seen(dialogOf(desk));
    },
  },
  {
    name: "collection-delete",
    path: "/collections",
    act: (desk) => choose(desk, CLOSED, desk.t("actions.delete")).then(() => seen(dialogOf(desk))),
  },
  {
    name: "collection-members",
    path: "/collections",
    act: async (desk) => {
      await press(desk, desk.t("collections:members.of", { name: CLOSED }));
      await seen(dialogOf(desk).getByLabel(desk.t("collections:members.add")));
    },
  },
];

/** On a phone the filters are behind a button. */
async function openFilters({ page, t }: Desk): Promise<boolean> {
  const all = page
    .locator("main button[aria-expanded=false]:not([aria-haspopup])")
    .filter({ hasText: t("documents.filter.title"), visible: true });
  if ((await all.count()) === 0) return false;
  await all.first().click();
  return true;
}

async function select({ page, t }: Desk, count: number): Promise<void> {
  const boxes = page
    .locator("main")
    .getByRole("checkbox", { name: t("documents.select", { title: "" }).trim(), exact: false });
  await boxes.first().waitFor();
  for (let index = 0; index < count; index += 1) await boxes.nth(index + 1).check();
  await seen(page.getByRole("region", { name: t("documents.bulk.label") }));
}

async function pick(desk: Desk, names: string[]): Promise<void> {
  const chooser = desk.page.waitForEvent("filechooser");
  await press(desk, desk.t("uploads.choose"));
  await (await chooser).setFiles(names.map((name) => join(desk.stack.documents, name)));
  await seen(dialogOf(desk));
}
