import { describe, expect, it } from "vitest";
import { toRequest } from "@/features/search/search-url";
import type { Hit } from "@/features/search/use-search";
import { asCitation, asCurl, asMcpCall } from "./copy-menu";

describe("a search to copy", () => {
  it("is the same search for curl, filters and all, without what only the page needs", () => {
    const text = asCurl(toRequest({ tags: ["hr"], not: ["old"], language: "it", k: 5 }, "what's new?"));
    const body = /-d '(.*)'$/s.exec(text)?.[1]?.replaceAll("'\\''", "'") ?? "";
    expect(JSON.parse(body)).toEqual({
      query: "what's new?",
      top_k: 5,
      language: "it",
      tags: { any: ["hr"], none: ["old"] },
    });
  });

  it("is the tool for agents that comes nearest", () => {
    const call = (url: Parameters<typeof toRequest>[0]) => JSON.parse(asMcpCall(toRequest(url, "q"))).params;
    expect(call({})).toEqual({ name: "search", arguments: { query: "q", top_k: 10 } });
    expect(call({ tags: ["hr"] })).toMatchObject({ name: "search_by_tag", arguments: { tags: ["hr"] } });
    expect(call({ documents: ["d1"], semanticOnly: true })).toMatchObject({
      name: "search_by_document",
      arguments: { documents: ["d1"], hybrid: false },
    });
  });
});

it("quotes a table in rows with dots between their cells", () => {
  const snippet = { text: "| Kind | Rate |\n| --- | --- |\n| Fixed | 4 % |", matches: [], char_start: 0, char_end: 0 };
  const hit = {
    title: null,
    document: "rates.xlsx",
    page_number: 2,
    section_heading: "Rates",
    snippet,
  } as unknown as Hit;
  const tabs = { ...hit, snippet: { ...snippet, text: "Kind\tRate\nFixed\t4 %" } };
  expect(asCitation(tabs)).toBe("rates.xlsx (rates.xlsx), p. 2, “Rates”: “Kind · Rate\nFixed · 4 %”");
  expect(asCitation(hit)).not.toContain("---");
});
