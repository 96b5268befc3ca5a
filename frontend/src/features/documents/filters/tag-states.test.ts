import { describe, expect, it } from "vitest";
import { chosenTags, onlyUntagged, tagState, withTagState } from "./tag-states";

describe("the tri-state filter of tags", () => {
  it("puts a tag into one state at a time", () => {
    let search = withTagState({}, "hr", "any");
    expect(tagState(clean(search), "HR")).toBe("any");
    search = withTagState(clean(search), "hr", "all");
    expect(clean(search)).toEqual({ tags: [], allTags: ["hr"], noTags: [] });
    search = withTagState(clean(search), "hr", "none");
    expect(tagState(clean(search), "hr")).toBe("none");
    search = withTagState(clean(search), "hr", null);
    expect(tagState(clean(search), "hr")).toBeNull();
  });

  it("leaves the other tags where they are", () => {
    const search = { tags: ["a", "b"], noTags: ["c"] };
    expect(withTagState(search, "B", "none")).toMatchObject({ tags: ["a"], noTags: ["c", "B"] });
  });

  it("knows that a document without tags cannot have one", () => {
    expect(onlyUntagged({ tags: ["a"], allTags: ["b"], noTags: ["c"] })).toEqual({
      tags: undefined,
      allTags: undefined,
      noTags: ["c"],
      untagged: true,
    });
    expect(withTagState({ untagged: true }, "a", "any").untagged).toBeUndefined();
    expect(withTagState({ untagged: true }, "a", "none").untagged).toBe(true);
  });

  it("lists what is chosen", () => {
    expect(chosenTags({ tags: ["a"], noTags: ["b"] })).toEqual([
      { name: "a", state: "any" },
      { name: "b", state: "none" },
    ]);
  });
});

type Conditions = ReturnType<typeof withTagState>;
function clean(conditions: Conditions) {
  return Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== undefined));
}
