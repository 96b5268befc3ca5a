import { describe, expect, it } from "vitest";
import { clientSnippets } from "./client-snippets";

/** Decode a link as its client does. */
function decodeLink(link: string): object {
  const { protocol, search, searchParams } = new URL(link);
  if (protocol === "vscode:") return JSON.parse(decodeURIComponent(search.slice(1)));
  return { name: searchParams.get("name"), ...JSON.parse(atob(searchParams.get("config") ?? "")) };
}

describe("snippets for MCP clients", () => {
  const snippets = clientSnippets({ url: "http://127.0.0.1:8001/mcp", key: "lk_test" });

  it("all carry the address and the key", () => {
    for (const { text } of snippets) {
      expect(text).toContain("http://127.0.0.1:8001/mcp");
      expect(text).toContain("Bearer lk_test");
    }
  });

  it("have a link for clients that add a server from one, with the same configuration", () => {
    const linked = snippets.filter((snippet) => snippet.link).map(({ name, link = "" }) => [name, decodeLink(link)]);
    const server = { url: "http://127.0.0.1:8001/mcp", headers: { Authorization: "Bearer lk_test" } };
    expect(linked).toEqual([
      ["Cursor", { name: "lectern", ...server }],
      ["VS Code", { name: "lectern", type: "http", ...server }],
    ]);
  });

  it("are valid JSON where a file of JSON is meant", () => {
    const files = snippets.filter((snippet) => snippet.file.endsWith(".json"));
    expect(files.length).toBeGreaterThan(2);
    for (const { text } of files) expect(() => JSON.parse(text)).not.toThrow();
  });
});
