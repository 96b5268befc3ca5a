import { describe, expect, it } from "vitest";
import {
  asView,
  changed,
  countConditions,
  readDocumentsSearch,
  toFilter,
  toListQuery,
  withoutConditions,
} from "./documents-search";

describe("the address of the documents page", () => {
  it("keeps what is valid and drops the rest", () => {
    const raw = {
      q: 2023,
      tags: "contracts",
      noTags: ["draft", ""],
      status: ["ready", "lost"],
      languages: ["it", "ITALIAN"],
      from: "2026-02-30x",
      to: "2026-03-01",
      sort: "colour",
      limit: 33,
      page: 4,
      surprise: 1,
    };
    expect(readDocumentsSearch(raw)).toEqual({
      q: "2023",
      tags: ["contracts"],
      noTags: ["draft"],
      status: ["ready"],
      languages: ["it"],
      to: "2026-03-01",
    });
  });

  it("says nothing when nothing is asked for", () => {
    expect(readDocumentsSearch({})).toEqual({});
    expect(readDocumentsSearch({ status: ["lost"], untagged: false, q: "  " })).toEqual({});
  });

  it("is read back as it was written", () => {
    const search = {
      q: "net sales",
      allTags: ["a", "b"],
      untagged: true,
      sort: "-title",
      limit: 100,
      cursor: "abc",
      page: 3,
    };
    expect(readDocumentsSearch(search)).toEqual(search);
  });

  it("begins at the first page again when a condition changes", () => {
    const search = { q: "a", cursor: "abc", page: 3, sort: "title" } as const;
    expect(changed(search, { q: "b" })).toEqual({ q: "b", sort: "title" });
    expect(changed(search, { q: undefined })).toEqual({ sort: "title" });
    expect(changed({ tags: ["x"] }, { tags: [] })).toEqual({});
  });

  it("can be cleared of conditions, and kept as a view", () => {
    const search = {
      q: "a",
      tags: ["x", "y"],
      untagged: true,
      sort: "title",
      limit: 25,
      cursor: "abc",
      page: 2,
    } as const;
    expect(countConditions({ ...search, tags: ["x", "y"] })).toBe(4);
    expect(withoutConditions({ ...search, tags: ["x"] })).toEqual({ sort: "title", limit: 25 });
    expect(asView({ ...search, tags: ["x"] })).toEqual({
      q: "a",
      tags: ["x"],
      untagged: true,
      sort: "title",
      limit: 25,
    });
  });
});

describe("the question to the API", () => {
  it("leaves out what says nothing", () => {
    expect(toListQuery({})).toEqual({ sort: "-created_at", limit: 25 });
  });

  it("carries every condition under the API's names", () => {
    expect(
      toListQuery({
        q: "x",
        tags: ["a"],
        allTags: ["b"],
        noTags: ["c"],
        untagged: true,
        shared: true,
        collections: ["Library"],
        status: ["failed"],
        types: ["text/plain"],
        languages: ["it"],
        sort: "title",
        limit: 25,
        cursor: "abc",
      }),
    ).toEqual({
      q: "x",
      tags: ["a"],
      tags_all: ["b"],
      tags_none: ["c"],
      is_untagged: true,
      is_shared_with_me: true,
      collections: ["Library"],
      status: ["failed"],
      content_type: ["text/plain"],
      language: ["it"],
      sort: "title",
      limit: 25,
      cursor: "abc",
    });
  });

  it("takes whole days where the person is, the last one included", () => {
    const filter = toFilter({ from: "2026-03-28", to: "2026-03-28" });
    expect(new Date(filter.created_from ?? "").getHours()).toBe(0);
    expect(new Date(filter.created_from ?? "").getDate()).toBe(28);
    expect(new Date(filter.created_to ?? "").getDate()).toBe(29);
    expect(new Date(filter.created_to ?? "").getHours()).toBe(0);
  });
});
