import type { Locator } from "playwright-core";
import type { Desk } from "../support/desk";

/** A scene to photograph: an address, actions, and the visible part. */
export interface Scene {
  name: string;
  path: string;
  act?: (desk: Desk) => Promise<unknown>;
  /** The whole page rather than the window. */
  isWhole?: boolean;
  /** Somebody who is not signed in. */
  isStranger?: boolean;
  /** The library without a document. */
  isEmpty?: boolean;
}

export const button = ({ page }: Desk, name: string | RegExp): Locator =>
  page.getByRole("button", { name }).filter({ visible: true });

export const press = (desk: Desk, name: string | RegExp): Promise<void> => button(desk, name).first().click();

export const dialogOf = ({ page }: Desk): Locator => page.getByRole("dialog").filter({ visible: true }).first();

/** The menu of the row, the card or the tag whose name holds `text`. */
export async function choose(desk: Desk, text: string, item: string): Promise<void> {
  await menuOf(desk, text).click();
  await desk.page.getByRole("menuitem", { name: item }).first().click();
}

export const menuOf = ({ page, t }: Desk, text: string): Locator =>
  page
    .locator("main")
    .getByRole("button", { name: t("documents.actionsOf", { title: text }), exact: false })
    .filter({ visible: true })
    .first();

export async function seen(locator: Locator): Promise<void> {
  await locator.filter({ visible: true }).first().waitFor();
}
