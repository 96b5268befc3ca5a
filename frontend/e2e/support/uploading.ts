import { join } from "node:path";
import type { Locator } from "playwright-core";
import type { Desk } from "./desk";

interface UploadOptions {
  tags?: string[];
  collection?: string;
}

/** Choose files of the made documents, answer the dialog's questions and send them. */
export async function upload(desk: Desk, names: string[], options: UploadOptions = {}): Promise<void> {
  const { page, t, stack } = desk;
  const chooser = page.waitForEvent("filechooser");
  await page
    .getByRole("button", { name: t("uploads.choose") })
    .first()
    .click();
  await (await chooser).setFiles(names.map((name) => join(stack.documents, name)));
  const dialog = page.getByRole("dialog", { name: t("uploads.dialog.title") });
  const { tags = [], collection } = options;
  if (collection) await dialog.getByLabel(t("uploads.dialog.collection")).selectOption({ label: collection });
  for (const tag of tags) {
    const field = dialog.getByLabel(t("uploads.dialog.tags")).and(page.locator("input"));
    await field.fill(tag);
    await field.press("Enter");
    await field.blur(); // the list of suggestions would cover the button
    await dialog.getByText(tag).filter({ visible: true }).first().waitFor();
  }
  await dialog.getByRole("button", { name: t("uploads.dialog.send", { count: names.length }) }).click();
  await dialog.waitFor({ state: "hidden" });
}

/** The line of a file in the tray. */
export function lineOf({ page, t }: Desk, filename: string): Locator {
  return page
    .getByRole("region", { name: t("uploads.title") })
    .getByRole("listitem")
    .filter({ has: page.getByText(filename, { exact: true }) });
}

/** Wait until the tray says that a document can be searched. */
export async function isReady(desk: Desk, filename: string): Promise<void> {
  await lineOf(desk, filename).getByText(desk.t("documents.status.ready"), { exact: true }).waitFor();
}
