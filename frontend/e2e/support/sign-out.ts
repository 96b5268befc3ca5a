import type { Desk } from "./desk";

/** Sign out when the page has loaded: a request that is under way would be refused. */
export async function signOut({ page, t }: Desk): Promise<void> {
  const loading = `[role=status][aria-label="${t("states.loading")}"], [aria-busy=true]`;
  await page.waitForFunction((selector) => !document.querySelector(selector), loading);
  await page.getByRole("button", { name: t("account.menu") }).click();
  await page.getByRole("menuitem", { name: t("account.signOut"), exact: true }).click();
  await page.getByRole("heading", { name: t("account.signInTitle") }).waitFor();
}
