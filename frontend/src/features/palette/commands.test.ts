import { describe, expect, it } from "vitest";
import { bestFits, fits } from "./commands";

describe("what is typed into the palette", () => {
  it.each([
    ["ke ag", "Keys & agents"],
    ["agents", "Keys & agents"],
    ["citta", "Città di Torino"],
    ["REPORT 2025", "annual-report-2025.pdf"],
    ["", "Anything"],
  ])("%j finds %j", (query, text) => {
    expect(fits(query, text)).toBe(true);
  });

  it("needs every word", () => {
    expect(fits("keys users", "Keys & agents")).toBe(false);
  });

  it("puts names that begin with it first, and no more than asked for", () => {
    const names = ["old contract", "contract", "contracts 2026", "sub contract"];
    expect(bestFits(names, "contract", (name) => name, 3)).toEqual(["contract", "contracts 2026", "old contract"]);
  });
});
