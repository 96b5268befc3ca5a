import { describe } from "vitest";
import { expect, SIZES, test } from "./support/desk";
import { runPython } from "./support/stack";

interface AgentReport {
  tools: string[];
  answer: { isError?: boolean; is_error?: boolean };
}

const keyOf = (server: { headers: { Authorization: string } }) => server.headers.Authorization.replace("Bearer ", "");

describe("a key made on the keys page", () => {
  test("lets an agent search exactly the documents it was made for, until it is revoked", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    const name = `Compliance assistant ${Date.now()}`;
    await desk.go("/keys");
    await page.getByLabel(t("keys:name"), { exact: false }).first().fill(name);
    const tags = page.getByLabel(t("keys:tags")).and(page.locator("input"));
    await tags.fill("aml");
    await page.getByRole("option", { name: "aml" }).first().click();
    await tags.blur();
    await page.getByText(/^This key can see \d+ documents?\.$/).waitFor();
    await page.getByRole("button", { name: t("keys:create"), exact: true }).click();

    const shown = page.getByRole("alert").filter({ hasText: name });
    const key = ((await shown.locator("pre, code").first().textContent()) ?? "").trim();
    expect(key.length).toBeGreaterThan(20);

    const ask = (query: string) => {
      const question = JSON.stringify({ query });
      return JSON.parse(runPython("mcp_client.py", stack.mcpUrl, key, "search", question)) as AgentReport;
    };
    const found = ask("customer due diligence");
    expect(found.tools).toContain("search");
    expect(JSON.stringify(found.answer)).toContain("aml-kyc-policy.pdf");
    const other = JSON.stringify(ask("returns and warranty of garden furniture").answer);
    expect(other).not.toContain("product-catalogue.pdf");
    expect(other).not.toContain("resi-e-garanzie.pdf");

    const row = page.getByRole("listitem").filter({ hasText: name });
    await row.getByRole("button", { name: t("keys:revoke") }).click();
    await page
      .getByRole("dialog", { name: t("keys:revokeTitle", { name }) })
      .getByRole("button", { name: t("keys:revoke") })
      .click();
    await row.getByText(t("keys:state.revoked")).waitFor();
    await page.getByText(t("keys:createdTitle", { name })).waitFor({ state: "hidden" });
    const isRefused = () => {
      try {
        return JSON.stringify(ask("customer due diligence").answer).includes("aml-kyc-policy.pdf") === false;
      } catch {
        return true;
      }
    };
    // The MCP service remembers for a short while that a key is good.
    await expect.poll(isRefused, { timeout: 150_000, interval: 2_000 }).toBe(true);
  });

  test("is tested by the server, from its panel and from the list, with tools and latency", async ({ open, stack }) => {
    const desk = await open({ language: "it" });
    const { page, t } = desk;
    const name = `Prova ${Date.now()}`;
    await desk.go("/keys");
    await page.getByLabel(t("keys:name"), { exact: false }).first().fill(name);
    await page.getByRole("button", { name: t("keys:create"), exact: true }).click();
    const panel = page.getByRole("alert").filter({ hasText: name });
    const row = page.getByRole("listitem").filter({ hasText: name });
    for (const place of [panel, row]) {
      await place.getByRole("button", { name: t("keys:connection.test") }).click();
      const result = place.getByRole("status").filter({ hasText: "list_tags" });
      await result.getByText(/search, search_by_tag, search_by_document/).waitFor();
      expect(await result.textContent()).toMatch(/list_tags ha risposto in [\d,.]+ ms/);
      expect(await result.textContent()).toContain(stack.mcpUrl);
    }
  });

  test("comes with configurations for this installation, their clients in one line also on a phone", async ({
    open,
    stack,
  }) => {
    const desk = await open({ size: "phone" });
    const { page, t } = desk;
    await desk.go("/keys");
    await page.getByLabel(t("keys:name"), { exact: false }).first().fill(`Phone ${Date.now()}`);
    await page.getByRole("button", { name: t("keys:create"), exact: true }).click();

    const address = page.getByLabel(t("keys:address"));
    await expect.poll(() => address.inputValue()).toBe(stack.mcpUrl);
    const shown = page.getByRole("alert").filter({ has: address });
    const rightmost = await shown
      .locator("button:not([role=tab]), input, pre")
      .evaluateAll((parts) => Math.max(...parts.map((part) => part.getBoundingClientRect().right)));
    expect(rightmost).toBeLessThan(SIZES.phone.width - 16);
    await page.getByRole("tab", { name: "Cursor" }).click();
    const link = page.getByRole("link", { name: t("keys:addTo", { client: "Cursor" }) });
    const { searchParams } = new URL((await link.getAttribute("href")) ?? "");
    const server = JSON.parse(atob(searchParams.get("config") ?? ""));
    expect(server.url).toBe(stack.mcpUrl);
    const listed = JSON.parse(runPython("mcp_client.py", server.url, keyOf(server), "list_tags", "{}")) as AgentReport;
    expect(listed.tools).toContain("search");

    const clients = page.getByRole("tablist", { name: t("keys:clients") });
    const tops = await clients
      .getByRole("tab")
      .evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top));
    expect(tops.length).toBeGreaterThan(4);
    expect(new Set(tops).size).toBe(1);
    await clients.getByRole("tab").first().focus();
    await page.keyboard.press("End");
    const last = clients.getByRole("tab").last();
    await expect.poll(() => last.evaluate((tab) => tab === document.activeElement)).toBe(true);
    await expect.poll(() => last.evaluate((tab) => tab.getBoundingClientRect().right <= window.innerWidth)).toBe(true);
    expect(await page.getByRole("tabpanel").textContent()).toContain(stack.mcpUrl);
  });
});
