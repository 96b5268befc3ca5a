import { join } from "node:path";
import { createServer } from "vite";
import { afterAll, describe, inject } from "vitest";
import { documentsNamed } from "./support/api";
import { expect, openDesk, test } from "./support/desk";

const FRONTEND = join(import.meta.dirname, "..");
const { url: target } = inject("stack");

// The development build: there React opens everything twice, and puts the first away.
const server = await createServer({
  root: FRONTEND,
  configFile: join(FRONTEND, "vite.config.ts"),
  cacheDir: join(FRONTEND, "node_modules", ".vite-e2e"),
  logLevel: "error",
  server: { port: 0, host: "127.0.0.1", proxy: { "/api": target } },
});
await server.listen();
afterAll(() => server.close());

describe("a PDF that is opened twice at once", () => {
  test("keeps its pages when the one before comes later and is put away", async ({ stack }) => {
    const [url = ""] = server.resolvedUrls?.local ?? [];
    const desk = await openDesk({ ...stack, url: url.replace(/\/$/, "") }, {});
    const { page } = desk;
    let letFirstGo = () => {};
    const held = new Promise<void>((resolve) => {
      letFirstGo = resolve;
    });
    let requests = 0;
    await page.route(/\/original(\?|$)/, async (route) => {
      requests += 1;
      if (requests === 1) await held;
      await route.continue();
    });
    const [policy] = await documentsNamed(stack, "aml-kyc-policy");
    await desk.go(`/documents/${policy?.id}?page=2`);
    const drawn = page.locator(".pdfViewer .page[data-loaded=true] canvas");
    await drawn.first().waitFor();
    expect(requests).toBe(2);

    const putAway = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const isViewer = (node: Node) => node instanceof Element && node.classList.contains("pdfViewer");
          new MutationObserver((records) => {
            if (records.some(({ removedNodes }) => [...removedNodes].some(isViewer))) resolve();
          }).observe(document.body, { childList: true, subtree: true });
        }),
    );
    letFirstGo();
    await putAway;
    expect(await drawn.count()).toBeGreaterThan(0);
    await page.context().close();
  });
});
