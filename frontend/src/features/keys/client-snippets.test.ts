import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clientSnippets } from "./client-snippets";

const GUIDE = readFileSync(`${import.meta.dirname}/../../../../docs/how-to/integrate.md`, "utf-8");

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

  it.each(["Cursor", "VS Code"])("for %s are those of the guide and of the link", (client) => {
    const [, shown] = GUIDE.split(`\n## ${client}\n`)[1]?.match(/^```json\n(.*?)^```$/ms) ?? [];
    const snippet = clientSnippets({ url: "http://127.0.0.1:8001/mcp", key: "KEY" }).find(
      ({ name }) => name === client,
    );
    const written = JSON.parse(shown ?? "");
    expect(JSON.parse(snippet?.text ?? "")).toEqual(written);
    const [servers] = Object.values(written as Record<string, { lectern: object }>);
    expect(decodeLink(snippet?.link ?? "")).toEqual({ name: "lectern", ...servers?.lectern });
  });

  it("are valid JSON where a file of JSON is meant", () => {
    const files = snippets.filter((snippet) => snippet.file.endsWith(".json"));
    expect(files.length).toBeGreaterThan(2);
    for (const { text } of files) expect(() => JSON.parse(text)).not.toThrow();
  });
});
