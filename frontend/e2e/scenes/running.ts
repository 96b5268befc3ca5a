import type { Desk } from "../support/desk";
import { READER } from "./prepare";
import { button, dialogOf, press, type Scene, seen } from "./scene";

async function inRowOf(desk: Desk, name: string, label: string): Promise<void> {
  const row = desk.page.getByRole("listitem").filter({ hasText: name }).first();
  await row.getByRole("button", { name: label }).click();
  await seen(dialogOf(desk));
}

/** Jobs, keys, people, the system, one's own session, and what is over every page. */
export const RUNNING: Scene[] = [
  { name: "jobs", path: "/jobs" },
  { name: "jobs-done", path: "/jobs?state=done" },
  { name: "jobs-none", path: "/jobs?state=in_progress" },
  { name: "keys", path: "/keys", isWhole: true },
  { name: "keys-none", path: "/keys", isEmpty: true },
  {
    name: "keys-wrong",
    path: "/keys",
    act: (desk) => press(desk, desk.t("keys:create")),
  },
  {
    name: "keys-created",
    path: "/keys",
    act: async (desk) => {
      await desk.page.getByLabel(desk.t("keys:name")).first().fill("Support assistant");
      await button(desk, desk.t("keys:create")).last().click();
      await seen(desk.page.getByRole("tablist", { name: desk.t("keys:clients") }));
    },
    isWhole: true,
  },
  {
    name: "keys-tested",
    path: "/keys",
    act: async (desk) => {
      await desk.page.getByLabel(desk.t("keys:name")).first().fill("Support assistant");
      await button(desk, desk.t("keys:create")).last().click();
      await button(desk, desk.t("keys:connection.test")).first().click();
      await seen(
        desk.page
          .getByText(/list_tags/)
          .or(desk.page.getByRole("alert"))
          .first(),
      );
      await desk.page.getByText(desk.t("keys:connection.waiting")).scrollIntoViewIfNeeded();
    },
  },
  { name: "golden", path: "/golden" },
  { name: "golden-none", path: "/golden", isEmpty: true },
  {
    name: "golden-tried",
    path: "/golden",
    act: async ({ page, t }) => {
      await page.getByRole("combobox", { name: t("golden:value"), exact: true }).click();
      await page.getByRole("option", { name: t("golden:choices.fusion") }).click();
      await page.getByRole("button", { name: t("golden:try") }).click();
      await seen(page.getByRole("region", { name: t("golden:result") }));
    },
    isWhole: true,
  },
  { name: "security", path: "/security" },
  {
    name: "second-factor",
    path: "/security",
    act: (desk) => press(desk, desk.t("security:secondFactor.turnOn")).then(() => seen(dialogOf(desk))),
  },
  { name: "users", path: "/users" },
  {
    name: "user-new",
    path: "/users",
    act: (desk) => press(desk, desk.t("users:new")).then(() => seen(dialogOf(desk))),
  },
  {
    name: "user-reset",
    path: "/users",
    act: (desk) => inRowOf(desk, READER.name, desk.t("users:resetPassword")),
  },
  {
    name: "user-deactivate",
    path: "/users",
    act: (desk) => inRowOf(desk, READER.name, desk.t("users:deactivate")),
  },
  { name: "system", path: "/system", isWhole: true },
  { name: "account", path: "/documents", act: (desk) => press(desk, desk.t("account.menu")) },
  {
    name: "own-password",
    path: "/documents",
    act: async (desk) => {
      await press(desk, desk.t("account.menu"));
      await desk.page.getByRole("menuitem", { name: desk.t("password.change") }).click();
      await seen(dialogOf(desk));
      await dialogOf(desk).locator("button[type=submit]").click();
    },
  },
  ...["documents", "keys"].map((page) => ({
    name: `navigation-${page}`,
    path: `/${page}`,
    act: async (desk: Desk) => {
      const burger = button(desk, desk.t("nav.open"));
      if ((await burger.count()) > 0) await burger.first().click();
    },
  })),
  {
    name: "palette",
    path: "/documents",
    act: async ({ page }) => {
      await page.keyboard.press("Control+k");
      await seen(page.getByRole("option"));
    },
  },
  {
    name: "palette-found",
    path: "/documents",
    act: async ({ page }) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("policy");
      await seen(page.getByRole("option", { name: /Policy/ }));
    },
  },
  {
    name: "palette-none",
    path: "/documents",
    act: async ({ page }) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("zzzzqqqq");
      await seen(page.getByRole("option", { name: /zzzzqqqq/ }));
    },
  },
  {
    name: "shortcuts",
    path: "/documents",
    act: async (desk) => {
      await desk.page.keyboard.press("?");
      await seen(dialogOf(desk));
    },
  },
  { name: "sign-in", path: "/", isStranger: true },
  {
    name: "sign-in-wrong",
    path: "/",
    isStranger: true,
    act: async ({ page, t }) => {
      await page.getByLabel(t("account.email")).fill(READER.email);
      await page.locator("input[type=password]").fill("not the password");
      await page.getByRole("button", { name: t("account.signIn") }).click();
      await seen(page.getByRole("alert"));
    },
  },
  {
    name: "session-ended",
    path: "/tags",
    act: async (desk) => {
      const { page, t } = desk;
      await press(desk, t("tags.new"));
      await dialogOf(desk).getByLabel(t("tags.form.name")).fill("written before");
      await page.context().clearCookies();
      await dialogOf(desk)
        .getByRole("button", { name: t("actions.create") })
        .click();
      await seen(page.getByText(t("account.sessionEnded")));
    },
  },
  {
    name: "reader-of-nothing",
    path: "/users",
    isStranger: true,
    act: async ({ page, t }) => {
      await page.getByLabel(t("account.email")).fill(READER.email);
      await page.locator("input[type=password]").fill(READER.password);
      await page.getByRole("button", { name: t("account.signIn") }).click();
      await page.getByRole("heading", { level: 1, name: t("nav.users") }).waitFor();
      await seen(page.getByText(t("users:adminsOnlyTitle")));
    },
  },
  {
    name: "offline",
    path: "/documents",
    act: async (desk) => {
      const { page, t } = desk;
      await page.context().setOffline(true);
      await seen(page.getByText(t("errors.offline")));
      await page
        .getByRole("link", { name: t("nav.jobs") })
        .first()
        .evaluate((link: HTMLElement) => link.click());
      await seen(page.getByText(t("errors.unreachable")).or(page.getByText(t("errors.codeMissing"))));
    },
  },
];
