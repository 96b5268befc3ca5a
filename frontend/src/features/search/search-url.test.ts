import { describe, expect, it } from "vitest";
import { countFilters, readSearchUrl, toRequest } from "./search-url";

describe("the address of a search", () => {
  it("keeps what is valid and drops the rest", () => {
    expect(readSearchUrl({ q: "net sales", k: 99, tags: ["hr", ""], nonsense: 1 })).toEqual({
      q: "net sales",
      tags: ["hr"],
    });
  });

  it("becomes the request it stands for", () => {
    const request = toRequest({ tags: ["hr"], not: ["old"], semanticOnly: true, k: 3, language: "it" }, "ferie");
    expect(request).toMatchObject({
      query: "ferie",
      top_k: 3,
      hybrid: false,
      tags: { any: ["hr"], none: ["old"] },
      language: "it",
    });
  });

  it("counts its filters", () => {
    expect(countFilters({ q: "x", tags: ["a", "b"], language: "it" })).toBe(2);
    expect(countFilters({ q: "x" })).toBe(0);
  });
});
