import { ask, documentsNamed } from "./api";
import type { Desk } from "./desk";

/** A menu, a list or a dialog over a screen, and how it is opened there. */
export interface Layer {
  name: string;
  path: string;
  open: (desk: Desk) => Promise<void>;
}

const menuOf = (desk: Desk) =>
  desk.page
    .locator("main")
    .getByRole("button", { name: /^(Actions for|Azioni per)/ })
    .first();

/** Layers that open over pages: one of each kind, and those with more than items. */
export const LAYERS: Layer[] = [
  {
    name: "account",
    path: "/documents?q=policy",
    open: ({ page, t }) => page.getByRole("button", { name: t("account.menu") }).click(),
  },
  {
    name: "views",
    path: "/documents?q=policy",
    open: ({ page, t }) => page.getByRole("button", { name: t("documents.views.title"), exact: true }).click(),
  },
  { name: "actions of a document", path: "/documents?q=policy", open: (desk) => menuOf(desk).click() },
  {
    name: "details of a document",
    path: "/documents?q=policy",
    open: async (desk) => {
      await menuOf(desk).click();
      await desk.page.getByRole("menuitem", { name: desk.t("documents.edit.title") }).click();
    },
  },
  {
    name: "palette",
    path: "/documents?q=policy",
    open: async ({ page }) => {
      await page.keyboard.press("Control+k");
      await page.locator("[role=option]").filter({ visible: true }).first().waitFor();
    },
  },
  {
    name: "deleting for good",
    path: "/trash",
    open: async ({ page, t }) => {
      await page
        .getByRole("button", { name: t("trash:purge"), exact: false })
        .first()
        .click();
    },
  },
  { name: "actions of a tag", path: "/tags", open: (desk) => menuOf(desk).click() },
  {
    name: "members",
    path: "/collections",
    open: async ({ page, t }) => {
      await page
        .getByRole("button", { name: t("collections:members.of", { name: "Board papers" }) })
        .first()
        .click();
      await page.getByRole("dialog").getByLabel(t("collections:members.add")).first().waitFor();
    },
  },
  {
    name: "watched folder",
    path: "/collections",
    open: async (desk) => {
      await menuOf(desk).click();
      await desk.page.getByRole("menuitem", { name: desk.t("collections:folder.action") }).click();
      await desk.page.getByLabel(desk.t("collections:folder.path")).waitFor();
    },
  },
  {
    name: "long list of a field",
    path: "/keys",
    open: async ({ page, t }) => {
      await page.getByLabel(t("keys:collections")).and(page.locator("input")).click();
      await page.locator("[role=option]").filter({ visible: true }).first().waitFor();
    },
  },
];

/** A closed collection and something in the trash, which the samples do not have. */
export async function makeWhatLayersNeed(stack: Desk["stack"]): Promise<void> {
  const { items } = await ask<{ items: { name: string }[] }>(stack, "/collections");
  if (!items.some(({ name }) => name === "Board papers")) {
    const body = JSON.stringify({ name: "Board papers", is_open: false });
    await ask(stack, "/collections", { method: "POST", body });
  }
  await ask(stack, "/documents?filename=dropped.md", {
    method: "POST",
    body: "# A dropped draft\n\nIt is wet.",
  });
  for (const { id } of await documentsNamed(stack, "dropped.md")) {
    await ask(stack, `/documents/${id}`, { method: "DELETE" });
  }
}
