import { describe, expect, it } from "vitest";
import { compact, flag, integer, list, oneOf, text } from "./search-params";

describe("search parameters", () => {
  it("keep valid values", () => {
    const raw = { q: "net sales", tags: ["a", "b"], sort: "title", page: 3, trash: true };
    expect(text(raw, "q")).toBe("net sales");
    expect(list(raw, "tags")).toEqual(["a", "b"]);
    expect(oneOf(raw, "sort", ["title", "size"])).toBe("title");
    expect(integer(raw, "page", { min: 1, max: 9 })).toBe(3);
    expect(flag(raw, "trash")).toBe(true);
  });

  it("turn numbers typed into the URL back into words", () => {
    expect(text({ q: 2023 }, "q")).toBe("2023");
    expect(list({ tags: [2023, "hr"] }, "tags")).toEqual(["2023", "hr"]);
  });

  it("leave out what is not valid", () => {
    const raw = { q: "  ", tags: "", sort: "colour", page: 99, trash: "maybe" };
    expect(compact({ q: text(raw, "q"), tags: list(raw, "tags"), sort: oneOf(raw, "sort", ["title"]) })).toEqual({});
    expect(integer(raw, "page", { min: 1, max: 9 })).toBeUndefined();
    expect(flag(raw, "trash")).toBeUndefined();
  });
});
