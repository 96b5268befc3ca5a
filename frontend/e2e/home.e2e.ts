import { describe } from "vitest";
import { violationsOf } from "./support/axe";
import { expect, test } from "./support/desk";
import { isReady, upload } from "./support/uploading";

describe("home", () => {
  test("leads to passages, answers and recent documents", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/");
    const field = page.getByRole("searchbox", { name: t("search.query") });
    await field.fill("due diligence");
    await field.press("Enter");
    await page.waitForURL(/\/search\?q=due/);
    await expect.poll(() => page.title()).toBe(`due diligence · ${t("nav.search")} · Lectern`);
    await page.locator("ol > li").first().waitFor();

    await page.keyboard.press("Escape");
    await desk.go("/");
    await field.fill("How long are records kept?");
    await page
      .locator("main")
      .getByRole("button", { name: t("nav.ask"), exact: true })
      .click();
    await page.waitForURL(/\/ask\?q=How/);
    await page.getByRole("button", { name: t("ask:copy") }).waitFor();
    expect(await page.title()).toBe(`How long are records kept? · ${t("nav.ask")} · Lectern`);

    await desk.go("/");
    const questions = page.getByRole("region", { name: t("home:questions.title") });
    await questions.getByRole("link", { name: "How long are records kept?" }).first().waitFor();
    const recent = page.getByRole("region", { name: t("home:documents.title") });
    await recent.locator("[data-state=shown]").first().waitFor();
    await recent.locator("a[data-opens]").first().click();
    await page.waitForURL(/\/documents\/[0-9a-f-]+$/);
  });

  test("asks who is signed in once, while its code loads", async ({ open }) => {
    const desk = await open();
    const { page } = desk;
    await desk.go("/");
    await page.getByRole("searchbox").waitFor();
    const asked = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.endsWith("/api/v1/auth/me"))
        .map((entry) => (entry as PerformanceResourceTiming).initiatorType),
    );
    expect(asked).toEqual(["link"]);
  });

  test("is where the list was, and old links keep their filters", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/?tags=policy&q=privacy");
    await page.waitForURL(/\/documents\?.*tags=.*policy/);
    await page.getByRole("button", { name: t("documents.views.title"), exact: true }).click();
    await page.getByRole("menuitem", { name: t("documents.views.save") }).click();
    await page.getByLabel(t("documents.views.name")).fill("Privacy policies");
    await page.keyboard.press("Enter");
    const view = page.getByRole("navigation").getByRole("link", { name: "Privacy policies" });
    await view.filter({ hasText: /\d/ }).waitFor();

    await desk.go("/home");
    await page.getByRole("heading", { level: 1, name: t("nav.home") }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    const views = page.getByRole("region", { name: t("home:views.title") });
    await views.getByRole("link", { name: "Privacy policies" }).waitFor();
    await view.click();
    await page.waitForURL(/\/documents\?.*q=privacy/);
    expect(await view.getAttribute("data-active")).toBe("true");
  });

  test("says what needs attention, and so does the navigation", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/documents");
    await upload(desk, ["locked.pdf", "light.pdf"]);
    await isReady(desk, "light.pdf");
    await page.locator("nav [data-kind=failed]").waitFor();

    await desk.go("/");
    const attention = page.getByRole("region", { name: t("home:attention.title") });
    await attention.getByText("locked", { exact: false }).first().waitFor();
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
      expect(await violationsOf(page)).toEqual([]);
    }
    await attention.getByRole("link", { name: t("home:attention.locked", { count: 1 }) }).click();
    await page.waitForURL(/\/documents\?status=.*failed/);
    await page.getByRole("row").filter({ hasText: "locked" }).waitFor();
  });
});
