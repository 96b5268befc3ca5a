import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { test } from "./support/desk";
import { freePort, REPOSITORY } from "./support/stack";

const CLIENTS = join(REPOSITORY, "mcp", "tests", "clients", "node_modules");
const LAUNCHER = join(CLIENTS, "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js");
const START_MS = 60_000;

/** The web UI of the MCP Inspector, as a developer starts it: with the address of the service and no key. */
async function startInspector(mcpUrl: string) {
  const [folder, port] = [await mkdtemp(join(tmpdir(), "inspector-")), await freePort()];
  const child = spawn(process.execPath, [LAUNCHER, "--web", "--transport", "http", "--server-url", mcpUrl], {
    env: {
      ...process.env,
      HOME: folder,
      MCP_STORAGE_DIR: folder,
      CLIENT_PORT: String(port),
      MCP_AUTO_OPEN_ENABLED: "false",
      DANGEROUSLY_OMIT_AUTH: "true", // the inspector's own sign-in, on loopback
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const address = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await untilReachable(address, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { address, stop };
}

async function untilReachable(address: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + START_MS;
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`the inspector ended with ${child.exitCode}`);
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`the inspector did not answer at ${address}`);
}

describe("the MCP Inspector", () => {
  test.skipIf(!existsSync(LAUNCHER))("signs in over OAuth, consents and searches", async ({ open, stack }) => {
    const inspector = await startInspector(stack.mcpUrl);
    try {
      const desk = await open({ isSignedIn: false, width: 1400, height: 1000 });
      const { page, t } = desk;
      desk.expectComplaint(new RegExp(`request to another origin: (${inspector.address}|https://fonts)`)); // its own pages
      desk.expectComplaint(/fonts\.googleapis\.com/);
      desk.expectComplaint(/401 .*\/api\/v1\/auth\//); // not signed in yet

      await page.goto(inspector.address);
      await page.getByRole("switch").first().click({ force: true });
      await page.waitForURL(new RegExp(`^${stack.url}/`));
      await page.getByLabel(t("account.email")).fill(stack.email);
      await page.locator("input[type=password]").fill(stack.password);
      await page.getByRole("button", { name: t("account.signIn") }).click();
      await page.getByRole("button", { name: t("keys:consent.allow") }).click();
      await page.waitForURL(new RegExp(`^${inspector.address}/`));
      await page.getByText("Tools", { exact: true }).first().click();
      await page.getByText("Search the library", { exact: true }).first().click();
      await page.getByRole("textbox", { name: "query" }).first().fill("enhanced due diligence");
      await page.getByRole("button", { name: "Execute Tool" }).click();
      await page.getByText("aml-kyc-policy.pdf").first().waitFor();
      await page.goto("about:blank"); // ends its streams before it stops
    } finally {
      await inspector.stop();
    }
  });
});
