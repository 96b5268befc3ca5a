import { describe, expect, it } from "vitest";
import { clientSnippets } from "./client-snippets";

describe("snippets for MCP clients", () => {
  const snippets = clientSnippets({ url: "http://127.0.0.1:8001/mcp", key: "lk_test" });

  it("all carry the address and the key", () => {
    for (const { text } of snippets) {
      expect(text).toContain("http://127.0.0.1:8001/mcp");
      expect(text).toContain("Bearer lk_test");
    }
  });

  it("are valid JSON where a file of JSON is meant", () => {
    const files = snippets.filter((snippet) => snippet.file.endsWith(".json"));
    expect(files.length).toBeGreaterThan(2);
    for (const { text } of files) expect(() => JSON.parse(text)).not.toThrow();
  });
});
