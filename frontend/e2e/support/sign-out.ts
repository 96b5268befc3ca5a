import type { Desk } from "./desk";

/** Sign out, also while the page loads. */
export async function signOut({ page, t }: Desk): Promise<void> {
  await page.getByRole("button", { name: t("account.menu") }).click();
  await page.getByRole("menuitem", { name: t("account.signOut"), exact: true }).click();
  await page.getByRole("heading", { name: t("account.signInTitle") }).waitFor();
}
