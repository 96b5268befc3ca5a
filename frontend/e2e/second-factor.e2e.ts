import { createHmac } from "node:crypto";
import { describe } from "vitest";
import { ask } from "./support/api";
import { violationsOf } from "./support/axe";
import { type Desk, expect, test } from "./support/desk";
import { signOut } from "./support/sign-out";

const PASSWORD = "a long enough password";
const STEP_MS = 30_000;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
// Without a session, requests for the current user get 401, as the first step of signing in does.
const NOT_SIGNED_IN = /401 .*\/api\/v1\/auth\/(me|refresh|sign-in)/;
const WRONG_CODE = /422 .*\/api\/v1\/auth\/sign-in\/second-factor/;

/** The code of an authenticator app (RFC 6238), `steps` after the current one. */
function codeOf(secret: string, steps = 0): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + steps));
  const digest = createHmac("sha1", key).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

async function givePassword({ page, t }: Desk, email: string): Promise<void> {
  await page.getByLabel(t("account.email")).fill(email);
  await page.locator("input[type=password]").fill(PASSWORD);
  await page.getByRole("button", { name: t("account.signIn") }).click();
}

async function giveCode({ page, t }: Desk, code: string): Promise<void> {
  await page.getByRole("textbox", { name: t("security:secondFactor.code") }).fill(code);
  await page.getByRole("button", { name: t("account.signIn") }).click();
}

/** Everybody can use what is shown now, and it fits into the window. */
async function expectUsable({ page }: Desk): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

/** Turn it on. Return the secret and the recovery codes as the page shows them. */
async function turnOn(desk: Desk): Promise<{ secret: string; recovery: string[] }> {
  const { page, t } = desk;
  await page.getByRole("button", { name: t("security:secondFactor.turnOn") }).click();
  const dialog = page.getByRole("dialog", { name: t("security:secondFactor.title") });
  await dialog.getByLabel(t("password.current")).fill(PASSWORD);
  await dialog.getByRole("button", { name: t("security:secondFactor.continue") }).click();
  await dialog.getByRole("img", { name: t("security:secondFactor.qr") }).waitFor();
  await expectUsable(desk);
  const secret = await dialog.locator("code").innerText();
  await dialog.getByRole("textbox", { name: t("security:secondFactor.code") }).fill(codeOf(secret));
  await page.keyboard.press("Enter");
  const codes = dialog.getByRole("group", { name: t("security:secondFactor.recoveryTitle") });
  await codes.waitFor();
  await expectUsable(desk);
  const recovery = await codes.locator("code").allInnerTexts();
  await dialog.getByRole("button", { name: t("security:secondFactor.saved") }).click();
  await dialog.waitFor({ state: "hidden" });
  return { secret, recovery };
}

describe("two-factor authentication", () => {
  test("is turned on, asked for, replaced by a recovery code, and turned off", async ({ open, stack }) => {
    const email = `factor-${Date.now()}@example.org`;
    const body = JSON.stringify({ email, password: PASSWORD, role: "reader" });
    await ask(stack, "/users", { method: "POST", body });
    const desk = await open({ isSignedIn: false, language: "it", scheme: "dark", size: "phone" });
    for (const complaint of [NOT_SIGNED_IN, WRONG_CODE]) desk.expectComplaint(complaint);
    const { page, t } = desk;
    await desk.go("/security");
    await givePassword(desk, email);
    await page.getByRole("button", { name: t("security:secondFactor.turnOn") }).waitFor();
    await expectUsable(desk);
    const { secret, recovery } = await turnOn(desk);
    await page.getByText(t("security:secondFactor.codesLeft", { count: 10 })).waitFor();
    expect(new Set(recovery).size).toBe(10);

    await signOut(desk);
    await givePassword(desk, email);
    await giveCode(desk, "000000");
    await page.getByRole("alert").waitFor();
    await expectUsable(desk);
    await giveCode(desk, codeOf(secret, 1)); // the current one was used above
    await page.getByRole("heading", { level: 1 }).waitFor();

    await signOut(desk);
    await givePassword(desk, email);
    await giveCode(desk, recovery[0] ?? "");
    await page.getByRole("heading", { level: 1, name: t("nav.home") }).waitFor();

    await desk.go("/security");
    await page.getByRole("button", { name: t("security:secondFactor.turnOff") }).click();
    const dialog = page.getByRole("dialog", { name: t("security:secondFactor.title") });
    await dialog.getByLabel(t("password.current")).fill(PASSWORD);
    await dialog.getByRole("textbox", { name: t("security:secondFactor.code") }).fill(recovery[1] ?? "");
    await dialog.getByRole("button", { name: t("security:secondFactor.turnOff") }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: t("security:secondFactor.turnOn") }).waitFor();
  });

  test("sessions: another browser is signed out at once", async ({ open, stack }) => {
    const email = `sessions-${Date.now()}@example.org`;
    const body = JSON.stringify({ email, password: PASSWORD, role: "reader" });
    await ask(stack, "/users", { method: "POST", body });
    const [mine, other] = [await open({ isSignedIn: false }), await open({ isSignedIn: false })];
    for (const desk of [mine, other]) {
      desk.expectComplaint(/401 .*\/api\/v1\//);
      await desk.go("/security");
      await givePassword(desk, email);
      await desk.page.getByRole("heading", { level: 1, name: desk.t("nav.security") }).waitFor();
    }
    await mine.page.reload();
    const end = mine.page.getByRole("button", { name: /^End the session / });
    await end.click();
    await end.waitFor({ state: "hidden" });
    await other.page.reload();
    await other.page.getByRole("heading", { name: other.t("account.signInTitle") }).waitFor();
  });
});
