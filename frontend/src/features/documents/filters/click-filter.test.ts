import { describe, expect, it } from "vitest";
import { changed, readDocumentsSearch } from "@/features/documents/documents-search";
import { filterHref, narrowed } from "./click-filter";

describe("a click on a value of a row", () => {
  it("narrows further with each tag", () => {
    const once = changed({}, narrowed({}, "tag", "policy"));
    expect(once).toEqual({ allTags: ["policy"] });
    expect(changed(once, narrowed(once, "tag", "hr"))).toEqual({ allTags: ["policy", "hr"] });
  });

  it("changes nothing when the list has the filter already", () => {
    expect(narrowed({ allTags: ["policy"] }, "tag", "Policy")).toEqual({});
    expect(narrowed({ tags: ["policy"] }, "tag", "policy")).toEqual({});
  });

  it("makes one of several tags the one that counts", () => {
    const search = { tags: ["policy", "hr"] };
    expect(changed(search, narrowed(search, "tag", "hr"))).toEqual({ tags: ["policy"], allTags: ["hr"] });
  });

  it("excludes a tag on wish", () => {
    const search = { allTags: ["policy"] };
    expect(changed(search, narrowed(search, "tag", "policy", true))).toEqual({ noTags: ["policy"] });
  });

  it("replaces the collection and the type, and starts at the first page", () => {
    const search = { collections: ["A"], types: ["text/plain"], cursor: "abc", page: 3, q: "x" };
    expect(changed(search, narrowed(search, "collection", "B"))).toEqual({
      collections: ["B"],
      types: ["text/plain"],
      q: "x",
    });
    expect(narrowed(search, "type", "application/pdf")).toEqual({ types: ["application/pdf"] });
  });

  it("has an address that is read back", () => {
    const address = new URL(filterHref("tag", "a & b, 100%"), "http://lectern.test");
    const raw = Object.fromEntries([...address.searchParams].map(([key, value]) => [key, JSON.parse(value)]));
    expect(readDocumentsSearch(raw)).toEqual({ allTags: ["a & b, 100%"] });
  });
});
