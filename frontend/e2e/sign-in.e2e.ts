import { describe } from "vitest";
import { expect, test } from "./support/desk";
import { signOut } from "./support/sign-out";

// Without a session the request for the current user gets 401, which browsers write to the console.
const NOT_SIGNED_IN = /401 .*\/api\/v1\/auth\/(me|refresh|sign-in)/;

describe("signing in", () => {
  test("leads to the page that was wanted, and signing out ends it", async ({ open, stack }) => {
    const desk = await open({ isSignedIn: false });
    desk.expectComplaint(NOT_SIGNED_IN);
    const { page, t } = desk;
    await desk.go("/tags");
    await page.getByRole("heading", { name: t("account.signInTitle") }).waitFor();

    await page.getByLabel(t("account.email")).and(page.locator(":focus")).waitFor();
    await page.keyboard.type(stack.email);
    await page.locator("input[type=password]").fill(stack.password);
    const loaded = [/\/api\/v1\/tags\?/, /\/documents\?status=queued/].map((url) => page.waitForResponse(url));
    await page.getByRole("button", { name: t("account.signIn") }).click();
    await page.getByRole("heading", { level: 1, name: t("nav.tags") }).waitFor();
    await Promise.all(loaded);

    await signOut(desk);
  });

  test("with a wrong password says so and keeps the e-mail", async ({ open, stack }) => {
    const desk = await open({ isSignedIn: false, language: "it" });
    desk.expectComplaint(NOT_SIGNED_IN);
    const { page, t } = desk;
    await desk.go("/");

    await page.getByLabel(t("account.email")).fill(stack.email);
    await page.locator("input[type=password]").fill("not the password");
    await page.getByRole("button", { name: t("account.signIn") }).click();

    await page.getByRole("alert").getByText(t("account.signInFailed")).waitFor();
    expect(await page.getByLabel(t("account.email")).inputValue()).toBe(stack.email);
  });

  test("again is asked for over what was being written when the session ended", async ({ open, stack }) => {
    const desk = await open();
    desk.expectComplaint(/401 .*\/api\/v1\//);
    const { page, t } = desk;
    const name = `written before ${Date.now()}`;
    await desk.go("/tags");
    await page.getByRole("button", { name: t("tags.new"), exact: true }).click();
    const dialog = page.getByRole("dialog", { name: t("tags.new") });
    await dialog.getByLabel(t("tags.form.name")).fill(name);
    await page.context().clearCookies();
    // Not a click: a request in the background may have opened the other dialog already.
    await dialog.getByRole("button", { name: t("actions.create") }).dispatchEvent("click");

    const again = page.getByRole("dialog", { name: t("account.signInTitle") });
    await again.getByText(t("account.sessionEnded")).waitFor();
    await page.keyboard.press("Escape");
    expect(await again.getByLabel(t("account.email")).inputValue()).toBe(stack.email);
    await page.keyboard.type(stack.password); // the cursor stands where something is missing
    await page.keyboard.press("Enter");
    await again.waitFor({ state: "hidden" });
    expect(await dialog.getByLabel(t("tags.form.name")).inputValue()).toBe(name);
    await dialog.getByRole("button", { name: t("actions.create") }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("searchbox", { name: t("tags.find") }).fill(name);
    await page.getByRole("listitem").filter({ hasText: name }).first().waitFor();
  });

  test("happens under a policy that lets only this origin in", async ({ open, stack }) => {
    const desk = await open();
    desk.expectComplaint(/inline script.*Content Security Policy/i);
    const { page } = desk;
    const response = await page.goto(`${stack.url}/documents`);
    const policy = response?.headers()["content-security-policy"] ?? "";

    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(policy).toContain("frame-ancestors 'none'");
    await page.getByRole("heading", { level: 1 }).waitFor();
    const isBlocked = await page.evaluate(async () => {
      const script = document.createElement("script");
      script.textContent = "window.wasRun = true";
      document.body.append(script);
      return !("wasRun" in window);
    });
    expect(isBlocked).toBe(true);
  });
});
