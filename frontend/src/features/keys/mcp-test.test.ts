import { afterEach, describe, expect, it, vi } from "vitest";
import { isSameOrigin, readAnswer, testMcp } from "./mcp-test";

afterEach(() => vi.unstubAllGlobals());

describe("the test of a key", () => {
  it("opens a session as an agent does and names the tools", async () => {
    const seen: { method: string; session: string | null; key: string | null }[] = [];
    vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
      const headers = new Headers(init.headers);
      const { method } = JSON.parse(String(init.body)) as { method: string };
      seen.push({ method, session: headers.get("Mcp-Session-Id"), key: headers.get("Authorization") });
      const result = method === "initialize" ? {} : { tools: [{ name: "search" }, { name: "list_tags" }] };
      return new Response(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result })}\n\n`, {
        headers: { "Mcp-Session-Id": "s1" },
      });
    });
    expect(await testMcp("http://localhost/mcp", "lk_x")).toEqual({ tools: ["search", "list_tags"] });
    expect(seen).toEqual([
      { method: "initialize", session: null, key: "Bearer lk_x" },
      { method: "tools/list", session: "s1", key: "Bearer lk_x" },
    ]);
  });

  it("says why it failed", async () => {
    vi.stubGlobal("fetch", async () => new Response("", { status: 401 }));
    expect(await testMcp("http://localhost/mcp", "lk_x")).toEqual({ reason: "HTTP 401" });
  });

  it("reads an answer that is no stream, too", () => {
    expect(readAnswer('{"result":{"tools":[]}}')).toEqual({ result: { tools: [] } });
  });

  it("is made only where the page may call", () => {
    expect(isSameOrigin("http://localhost:3000/mcp", "http://localhost:3000")).toBe(true);
    expect(isSameOrigin("http://localhost:8001/mcp", "http://localhost:3000")).toBe(false);
    expect(isSameOrigin("not an address", "http://localhost:3000")).toBe(false);
  });
});
