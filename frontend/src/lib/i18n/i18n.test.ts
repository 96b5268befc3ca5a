import { describe, expect, it } from "vitest";
import en from "./en.json";
import italian from "./it.json";

function keys(tree: object, prefix = ""): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "object" && value !== null ? keys(value, `${prefix}${key}.`) : [`${prefix}${key}`],
  );
}

function leaves(tree: object): string[] {
  return Object.values(tree).flatMap((value) =>
    typeof value === "object" && value !== null ? leaves(value) : [String(value)],
  );
}

const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]).sort();

describe("translations", () => {
  it("have the same keys in English and Italian", () => {
    expect(keys(italian).sort()).toEqual(keys(en).sort());
  });

  it("leave no text empty", () => {
    expect([...leaves(en), ...leaves(italian)].filter((text) => text.trim() === "")).toEqual([]);
  });

  it("use the same placeholders", () => {
    const path = (tree: object, key: string) =>
      String(key.split(".").reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], tree));
    for (const key of keys(en)) {
      expect({ key, names: placeholders(path(italian, key)) }).toEqual({
        key,
        names: placeholders(path(en, key)),
      });
    }
  });
});
