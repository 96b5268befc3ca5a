import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe } from "vitest";
import { expect, test } from "./support/desk";
import { runPython } from "./support/stack";

/** A program on this machine that waits for the browser to come back. */
async function waitForBrowser() {
  const server = createServer();
  const answer = new Promise<URLSearchParams>((resolve) => {
    server.on("request", (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
      if (pathname === "/callback") resolve(searchParams);
      response.setHeader("Content-Type", "text/html");
      response.end('<link rel="icon" href="data:,"><h1>Connected</h1>');
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/callback`, answer, close: () => server.close() };
}

describe("the consent screen", () => {
  test("gives an app what the person chose, until the key is revoked", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    const program = await waitForBrowser();
    desk.expectComplaint(new RegExp(`request to another origin: ${new URL(program.address).origin}/`));
    const name = `Assistant ${Date.now()}`;
    const server = await (await fetch(`${stack.url}/.well-known/oauth-authorization-server`)).json();
    const registered = await fetch(server.registration_endpoint, {
      method: "POST",
      body: JSON.stringify({ client_name: name, redirect_uris: [program.address] }),
    });
    const { client_id } = await registered.json();
    const verifier = randomBytes(48).toString("base64url");
    const query = new URLSearchParams({
      client_id,
      redirect_uri: program.address,
      response_type: "code",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      state: "12345678901234567890",
      resource: stack.mcpUrl,
    });

    expect(server.authorization_endpoint).toBe(`${stack.url}/oauth/authorize`);
    await desk.go(`/oauth/authorize?${query}`);
    await page.getByRole("heading", { name: t("keys:consent.title", { name }) }).waitFor();
    await page.getByText(new URL(program.address).host).waitFor();
    const tags = page.getByLabel(t("keys:tags")).and(page.locator("input"));
    await tags.fill("aml");
    await page.getByRole("option", { name: "aml" }).first().click();
    await tags.blur();
    await page.getByRole("button", { name: t("keys:consent.allow") }).click();
    const back = await program.answer;
    await page.getByRole("heading", { name: "Connected" }).waitFor();
    expect(back.get("state")).toBe("12345678901234567890");
    expect(back.get("iss")).toBe(stack.url);

    const token = await fetch(server.token_endpoint, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: back.get("code") ?? "",
        client_id,
        redirect_uri: program.address,
        code_verifier: verifier,
        resource: stack.mcpUrl,
      }),
    });
    const { access_token, scope } = await token.json();
    expect(scope).toBe("search");
    const found = runPython("mcp_client.py", stack.mcpUrl, access_token, "search", '{"query": "due diligence"}');
    expect(found).toContain("aml-kyc-policy.pdf");

    await desk.go("/keys");
    const row = page.getByRole("listitem").filter({ hasText: t("keys:app", { name }) });
    await row.getByRole("button", { name: t("keys:revoke") }).click();
    await page
      .getByRole("dialog", { name: t("keys:revokeTitle", { name }) })
      .getByRole("button", { name: t("keys:revoke") })
      .click();
    await row.getByText(t("keys:state.revoked")).waitFor();
    const me = await fetch(`${stack.url}/api/v1/auth/me`, { headers: { Authorization: `Bearer ${access_token}` } });
    expect(me.status).toBe(401);
    program.close();
  });

  test("says so when the app or its address is wrong", async ({ open }) => {
    const desk = await open({ language: "it" });
    desk.expectComplaint(/422/);
    await desk.page.goto(
      `${desk.stack.url}/oauth/authorize?client_id=unknown&redirect_uri=https%3A%2F%2Fevil.example%2F`,
    );
    await desk.page
      .getByRole("alert")
      .filter({ hasText: desk.t("keys:consent.cannot") })
      .waitFor();
  });
});
