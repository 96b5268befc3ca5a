import { expect, it } from "vitest";
import en from "@/features/golden/words.en.json";
import italian from "@/features/golden/words.it.json";
import keysEn from "@/features/keys/words.en.json";
import keysItalian from "@/features/keys/words.it.json";
import whyEn from "@/features/search/why-words.en.json";
import whyItalian from "@/features/search/why-words.it.json";
import systemEn from "@/features/system/words.en.json";
import systemItalian from "@/features/system/words.it.json";

/** Every text by its path, with the placeholders that it uses. */
function texts(tree: object, prefix = ""): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "object" && value !== null
      ? texts(value, `${prefix}${key}.`)
      : [`${prefix}${key}: ${(String(value).match(/\{\{\s*\w+/g) ?? []).sort().join(" ")}`],
  );
}

it.each([
  ["golden", en, italian],
  ["keys", keysEn, keysItalian],
  ["system", systemEn, systemItalian],
  ["why", whyEn, whyItalian],
])(
  "texts of %s that come later are the same, with the same placeholders, in both languages",
  (_, inEnglish, inItalian) => {
    expect(texts(inItalian).sort()).toEqual(texts(inEnglish).sort());
  },
);
