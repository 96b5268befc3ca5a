import { afterAll, afterEach, beforeAll, describe } from "vitest";
import type { components } from "../src/lib/api/schema";
import { type Appearance, type Desk, expect, openDesk, test } from "./support/desk";
import { HAS_PROVIDER, RunningProvider } from "./support/provider";
import { RunningStack } from "./support/stack";

type Me = components["schemas"]["PrincipalResponse"];

const SSO = "/api/v1/auth/single-sign-on";
const START_MS = 600_000;
const [EDITOR, ADMIN] = ["ada@example.org", "grace@example.org"];
/** The provider is another origin, and its pages want a font and an icon. */
const EXPECTED = [
  /request to another origin: http:\/\/127\.0\.0\.1/,
  /fonts\.googleapis\.com/,
  /favicon\.ico/,
  // Nobody is signed in, or the session has just ended.
  /401 .*\/api\/v1\/(auth\/(me|refresh)|events)/,
];

let provider: RunningProvider;
let running: RunningStack;
const desks: Desk[] = [];

async function open(appearance: Appearance = {}): Promise<Desk> {
  const desk = await openDesk(running.stack, { isSignedIn: false, ...appearance });
  for (const pattern of EXPECTED) desk.expectComplaint(pattern);
  desks.push(desk);
  return desk;
}

const me = async ({ page, stack }: Desk): Promise<Me> =>
  (await (await page.context().request.get(`${stack.url}/api/v1/auth/me`)).json()) as Me;

/** What a person does at the provider. */
async function signInAtProvider({ page }: Desk, login: string): Promise<void> {
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("anything");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
}

async function signIn(desk: Desk, login: string): Promise<void> {
  await desk.go("/tags");
  await desk.page.getByRole("link", { name: desk.t("signin:with", { name: "Example" }) }).click();
  await signInAtProvider(desk, login);
}

async function signOut({ page, t, stack }: Desk): Promise<void> {
  await page.getByRole("button", { name: t("account.menu") }).click();
  await page.getByRole("menuitem", { name: t("account.signOut"), exact: true }).click();
  await page.waitForURL(`${provider.url}/session/end**`);
  await page.locator("button[name=logout]").click();
  await page.waitForURL((url) => url.origin === stack.url);
  await page.getByRole("heading", { name: t("account.signInTitle") }).waitFor();
}

describe.skipIf(!HAS_PROVIDER)("single sign-on", () => {
  beforeAll(async () => {
    running = await RunningStack.start({
      hasSamples: false,
      variables: async (url) => {
        provider = await RunningProvider.start(url);
        return provider.variables;
      },
    });
  }, START_MS);

  // The last test ends all sessions of passwords: a page that is still open would load what is refused.
  afterEach(async () => {
    for (const { page } of desks) await page.context().close();
  });

  afterAll(async () => {
    provider?.stop();
    await running?.stop();
    expect(desks.flatMap((desk) => desk.unexpected)).toEqual([]);
  }, START_MS);

  test("is set up by an administrator on a page", async () => {
    const desk = await open({ isSignedIn: true });
    const { page, stack, t } = desk;
    const made = await page.context().request.post(`${stack.url}/api/v1/collections`, {
      headers: { "X-Requested-With": "e2e" },
      data: { name: "Closed", is_open: false },
    });
    expect(made.ok()).toBe(true);
    await desk.go("/sign-in-settings");
    await page.getByText(provider.url).waitFor();
    await page.getByLabel(t("signin:providerName")).fill("Example");
    const wanted = [
      ["editors", "editor"],
      ["admins", "admin"],
    ] as const;
    for (const [name, role] of wanted) {
      await page.getByRole("button", { name: t("signin:groups.add") }).click();
      await page
        .getByRole("group", { name: t("signin:groups.new") })
        .locator("input")
        .first()
        .fill(name);
      const group = page.getByRole("group", { name });
      await group.getByLabel(t("users:form.role"), { exact: true }).first().click();
      await page.getByRole("option", { name: t(`account.role.${role}`) }).click();
    }
    const editors = page.getByRole("group", { name: "editors" });
    await editors.getByLabel(t("signin:groups.writes"), { exact: true }).first().click();
    await page.getByRole("option", { name: "Closed" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: t("actions.save") }).click();
    await page.getByText(t("signin:saved")).waitFor();
  });

  test("gives role and collections from groups, and ends at the provider too", async () => {
    await provider.setGroups(EDITOR, ["editors", "unmapped"]);
    const desk = await open({ language: "it" });
    await signIn(desk, EDITOR);
    await desk.page.getByRole("heading", { level: 1, name: desk.t("nav.tags") }).waitFor();
    const found = await me(desk);
    expect([found.name, found.role]).toEqual([EDITOR, "editor"]);
    const { stack, page } = desk;
    const list = await page.context().request.get(`${stack.url}/api/v1/collections`);
    const { items } = (await list.json()) as { items: { name: string; can_write: boolean }[] };
    expect(items.find(({ name }) => name === "Closed")).toMatchObject({ can_write: true });
    await signOut(desk);

    await provider.setGroups(EDITOR, ["unmapped"]);
    await signIn(desk, EDITOR);
    await page.getByRole("alert").getByText(desk.t("signin:problem.no_group_for_sign_in")).waitFor();
    expect((await page.context().request.get(`${stack.url}/api/v1/auth/me`)).status()).toBe(401);

    await page.locator("input[type=email]").fill(stack.email);
    await page.locator("input[type=password]").fill(stack.password);
    await page.getByRole("button", { name: desk.t("account.signIn"), exact: true }).click();
    await page.getByRole("heading", { level: 1, name: desk.t("nav.tags") }).waitFor();
  });

  test("refuses a nonce and a state that are not its own", async () => {
    await provider.setGroups(ADMIN, ["admins"]);
    for (const [parameter, problem] of [
      ["nonce", "identity_token_invalid"],
      ["state", "sign_in_request_expired"],
    ] as const) {
      const desk = await open();
      const { page, stack, t } = desk;
      const begun = await page.context().request.get(`${stack.url}${SSO}`, { maxRedirects: 0 });
      const address = new URL(begun.headers().location ?? "");
      address.searchParams.set(parameter, "of somebody else");
      await page.goto(address.href);
      await signInAtProvider(desk, ADMIN);
      await page
        .getByRole("alert")
        .getByText(t(`signin:problem.${problem}`))
        .waitFor();
      expect((await page.context().request.get(`${stack.url}/api/v1/auth/me`)).status()).toBe(401);
    }
  });

  test("can replace passwords", async () => {
    const desk = await open();
    const { page, t } = desk;
    await signIn(desk, ADMIN);
    await page.getByRole("heading", { level: 1, name: t("nav.tags") }).waitFor();
    await desk.go("/sign-in-settings");
    expect((await me(desk)).role).toBe("admin");
    await page.getByRole("switch", { name: t("signin:passwords") }).click();
    await page.getByRole("button", { name: t("actions.save") }).click();
    await page.getByText(t("signin:saved")).waitFor();
    const other = await open();
    await other.go("/");
    await other.page.getByRole("link", { name: t("signin:with", { name: "Example" }) }).waitFor();
    expect(await other.page.locator("input[type=password]").count()).toBe(0);
  });
});
