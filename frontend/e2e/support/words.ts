import i18next, { type TFunction } from "i18next";
import goldenEn from "../../src/features/golden/words.en.json" with { type: "json" };
import goldenIt from "../../src/features/golden/words.it.json" with { type: "json" };
import keysEn from "../../src/features/keys/words.en.json" with { type: "json" };
import keysIt from "../../src/features/keys/words.it.json" with { type: "json" };
import systemEn from "../../src/features/system/words.en.json" with { type: "json" };
import systemIt from "../../src/features/system/words.it.json" with { type: "json" };
import en from "../../src/lib/i18n/en.json" with { type: "json" };
import it from "../../src/lib/i18n/it.json" with { type: "json" };

export type Language = "en" | "it";

const resources = {
  en: { translation: en, golden: goldenEn, keys: keysEn, system: systemEn },
  it: { translation: it, golden: goldenIt, keys: keysIt, system: systemIt },
};
await i18next.init({ resources, lng: "en", interpolation: { escapeValue: false }, returnNull: false });

/** The words that the UI shows in a language. */
export const wordsOf = (language: Language): TFunction => i18next.getFixedT(language);
