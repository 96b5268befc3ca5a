import { expect, it } from "vitest";
import { missingFigures } from "./missing-figures";

const hit = (text: string) => ({ text, title: "Report 2025", document: "report.pdf" });

it("names figures and identifiers that no hit contains, as they were typed", () => {
  const hits = [hit("Net revenue was 222 730 in total."), hit("Contract NDA-2026/4")];
  expect(missingFigures("222,730", hits)).toEqual([]);
  expect(missingFigures("revenue 2025?", hits)).toEqual([]);
  expect(missingFigures("nda-2026/4", hits)).toEqual([]);
  expect(missingFigures("“222,731” or NDA-2027/4, please", hits)).toEqual(["222,731", "NDA-2027/4"]);
  expect(missingFigures("222,731 and 222,731.", hits)).toEqual(["222,731"]);
});

it("names nothing without figures or hits", () => {
  expect(missingFigures("net revenue", [hit("x")])).toEqual([]);
  expect(missingFigures("222,731", [])).toEqual([]);
  expect(missingFigures("page 12", [hit("x")])).toEqual([]);
});
