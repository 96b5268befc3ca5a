import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import english from "@/locales/en/common.json";
import italian from "@/locales/it/common.json";

const MODEL = `${import.meta.dirname}/../../../../../api/src/lectern/search/ranking/ranker.json`;
const { features } = JSON.parse(readFileSync(MODEL, "utf-8")) as { features: string[] };

it.each([
  ["English", english],
  ["Italian", italian],
])("has a name in %s for every feature of the ranker, and for no other", (_, words) => {
  expect(Object.keys(words.search.features).sort()).toEqual(features.toSorted());
});
