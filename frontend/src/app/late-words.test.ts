import { expect, it } from "vitest";
import askEn from "@/features/ask/words.en.json";
import askItalian from "@/features/ask/words.it.json";
import collectionsEn from "@/features/collections/words.en.json";
import collectionsItalian from "@/features/collections/words.it.json";
import en from "@/features/golden/words.en.json";
import italian from "@/features/golden/words.it.json";
import keysEn from "@/features/keys/words.en.json";
import keysItalian from "@/features/keys/words.it.json";
import whyEn from "@/features/search/why-words.en.json";
import whyItalian from "@/features/search/why-words.it.json";
import systemEn from "@/features/system/words.en.json";
import systemItalian from "@/features/system/words.it.json";
import trashEn from "@/features/trash/words.en.json";
import trashItalian from "@/features/trash/words.it.json";
import usersEn from "@/features/users/words.en.json";
import usersItalian from "@/features/users/words.it.json";

/** Every text by its path, with the placeholders that it uses. */
function texts(tree: object, prefix = ""): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "object" && value !== null
      ? texts(value, `${prefix}${key}.`)
      : [`${prefix}${key}: ${(String(value).match(/\{\{\s*\w+/g) ?? []).sort().join(" ")}`],
  );
}

it.each([
  ["ask", askEn, askItalian],
  ["collections", collectionsEn, collectionsItalian],
  ["golden", en, italian],
  ["keys", keysEn, keysItalian],
  ["system", systemEn, systemItalian],
  ["trash", trashEn, trashItalian],
  ["users", usersEn, usersItalian],
  ["why", whyEn, whyItalian],
])(
  "texts of %s that come later are the same, with the same placeholders, in both languages",
  (_, inEnglish, inItalian) => {
    expect(texts(inItalian).sort()).toEqual(texts(inEnglish).sort());
  },
);
