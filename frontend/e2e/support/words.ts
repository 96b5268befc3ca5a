import i18next, { type TFunction } from "i18next";
import askEn from "../../src/features/ask/words.en.json" with { type: "json" };
import askIt from "../../src/features/ask/words.it.json" with { type: "json" };
import collectionsEn from "../../src/features/collections/words.en.json" with { type: "json" };
import collectionsIt from "../../src/features/collections/words.it.json" with { type: "json" };
import goldenEn from "../../src/features/golden/words.en.json" with { type: "json" };
import goldenIt from "../../src/features/golden/words.it.json" with { type: "json" };
import keysEn from "../../src/features/keys/words.en.json" with { type: "json" };
import keysIt from "../../src/features/keys/words.it.json" with { type: "json" };
import whyEn from "../../src/features/search/why-words.en.json" with { type: "json" };
import whyIt from "../../src/features/search/why-words.it.json" with { type: "json" };
import systemEn from "../../src/features/system/words.en.json" with { type: "json" };
import systemIt from "../../src/features/system/words.it.json" with { type: "json" };
import trashEn from "../../src/features/trash/words.en.json" with { type: "json" };
import trashIt from "../../src/features/trash/words.it.json" with { type: "json" };
import usersEn from "../../src/features/users/words.en.json" with { type: "json" };
import usersIt from "../../src/features/users/words.it.json" with { type: "json" };
import en from "../../src/lib/i18n/en.json" with { type: "json" };
import it from "../../src/lib/i18n/it.json" with { type: "json" };

export type Language = "en" | "it";

const resources = {
  en: {
    translation: en,
    ask: askEn,
    collections: collectionsEn,
    golden: goldenEn,
    keys: keysEn,
    system: systemEn,
    trash: trashEn,
    users: usersEn,
    why: whyEn,
  },
  it: {
    translation: it,
    ask: askIt,
    collections: collectionsIt,
    golden: goldenIt,
    keys: keysIt,
    system: systemIt,
    trash: trashIt,
    users: usersIt,
    why: whyIt,
  },
};
await i18next.init({ resources, lng: "en", interpolation: { escapeValue: false }, returnNull: false });

/** The words that the UI shows in a language. */
export const wordsOf = (language: Language): TFunction => i18next.getFixedT(language);
