import { describe } from "vitest";
import { violationsOf } from "./support/axe";
import { expect, test } from "./support/desk";
import { isReady, upload } from "./support/uploading";

describe("home", () => {
  test("leads to passages, answers and recent documents", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/home");
    const field = page.getByRole("searchbox", { name: t("search.query") });
    await field.fill("due diligence");
    await field.press("Enter");
    await page.waitForURL(/\/search\?q=due/);
    await page.locator("ol > li").first().waitFor();

    await page.keyboard.press("Escape");
    await desk.go("/home");
    await field.fill("How long are records kept?");
    await page
      .locator("main")
      .getByRole("button", { name: t("nav.ask"), exact: true })
      .click();
    await page.waitForURL(/\/ask\?q=How/);
    await page.getByRole("button", { name: t("ask:copy") }).waitFor();

    await desk.go("/home");
    const questions = page.getByRole("region", { name: t("home:questions.title") });
    await questions.getByRole("link", { name: "How long are records kept?" }).first().waitFor();
    const recent = page.getByRole("region", { name: t("home:documents.title") });
    await recent.locator("[data-state=shown]").first().waitFor();
    await recent.locator("a[data-opens]").first().click();
    await page.waitForURL(/\/documents\/[0-9a-f-]+$/);
  });

  test("says what needs attention, and so does the navigation", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/documents");
    await upload(desk, ["locked.pdf", "light.pdf"]);
    await isReady(desk, "light.pdf");
    await page.locator("nav [data-kind=failed]").waitFor();

    await desk.go("/home");
    const attention = page.getByRole("region", { name: t("home:attention.title") });
    await attention.getByText("locked", { exact: false }).first().waitFor();
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
      expect(await violationsOf(page)).toEqual([]);
    }
    await attention.getByRole("link", { name: new RegExp(t("nav.badge.failed")) }).click();
    await page.waitForURL(/\/documents\?status=.*failed/);
    await page.getByRole("row").filter({ hasText: "locked" }).waitFor();
  });
});
