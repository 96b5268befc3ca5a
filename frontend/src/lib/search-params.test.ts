import { describe, expect, it } from "vitest";
import { compact, days, flag, integer, list, oneOf, only, parseSearch, stringifySearch, text } from "./search-params";

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

  it("leave out a range of days in the wrong order", () => {
    expect(compact(days({ from: "2026-11-22", to: "2026-11-21" }))).toEqual({});
    expect(days({ from: "2026-11-21", to: "2026-11-21" })).toEqual({ from: "2026-11-21", to: "2026-11-21" });
    expect(compact(days({ from: "2026-11-22", to: "soon" }))).toEqual({ from: "2026-11-22" });
  });

  it("reach a page only as the reader returns them", () => {
    const read = only((raw) => compact({ q: text(raw, "q"), sort: oneOf(raw, "sort", ["title"]) }));
    const raw = { q: ["x"], sort: "colour", page: 3 };
    expect({ ...raw, ...read(raw) }).toEqual({});
    expect(read({ q: true })).toEqual({ q: "true" });
  });
});

describe("the address", () => {
  it.each([
    '"a phrase"',
    "true",
    "null",
    "2023",
    "007",
    "2.50",
    "1e5",
    "12345678901234567890",
    "[1, 2]",
    '"[1]"',
    "{}",
  ])("keeps %s as it was typed", (typed) => {
    expect(text(parseSearch(stringifySearch({ q: typed })), "q")).toBe(typed);
  });

  it.each(['"a phrase"', "true", "null", "007", "2.50", "1e5", "12345678901234567890"])(
    "may be typed with %s",
    (typed) => {
      expect(text(parseSearch(`?q=${encodeURIComponent(typed)}`), "q")).toBe(typed);
    },
  );

  it("keeps lists and the search before", () => {
    const search = { tags: ["a", "2023"], results: { q: '"net sales"', tags: ["b"] }, page: 2 };
    expect(parseSearch(stringifySearch(search))).toEqual(search);
  });
});
