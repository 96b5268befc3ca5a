import { describe, expect, it } from "vitest";
import { colorOfName, colorOfTag } from "./tag-colors";

describe("the colour of a tag", () => {
  it("is the one that somebody chose", () => {
    expect(colorOfTag({ name: "hr", color: "red" })).toBe("red");
    expect(colorOfTag({ name: "hr", color: "#808080" })).toBe("#808080");
  });

  it("is otherwise always the same for the same name", () => {
    expect(colorOfTag({ name: "Policy", color: "gray" })).toBe(colorOfName("policy"));
  });

  it("tells names from each other", () => {
    const names = ["policy", "aml", "hr", "contract", "invoice", "handbook", "report", "board"];
    expect(new Set(names.map(colorOfName)).size).toBeGreaterThan(4);
  });
});
