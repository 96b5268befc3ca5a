import { expect, it } from "vitest";
import en from "@/features/golden/words.en.json";
import italian from "@/features/golden/words.it.json";
import keysEn from "@/features/keys/words.en.json";
import keysItalian from "@/features/keys/words.it.json";
import whyEn from "@/features/search/why-words.en.json";
import whyItalian from "@/features/search/why-words.it.json";

/** Every text by its path, with the placeholders that it uses. */
function texts(tree: object, prefix = ""): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "object" && value !== null
      ? texts(value, `${prefix}${key}.`)
      : [`${prefix}${key}: ${(String(value).match(/\{\{\s*\w+/g) ?? []).sort().join(" ")}`],
  );
}

it("texts that come later are the same, with the same placeholders, in English and Italian", () => {
  expect(texts(italian).sort()).toEqual(texts(en).sort());
  expect(texts(keysItalian).sort()).toEqual(texts(keysEn).sort());
  expect(texts(whyItalian).sort()).toEqual(texts(whyEn).sort());
});
