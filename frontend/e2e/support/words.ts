import i18next, { type TFunction } from "i18next";

export type Language = "en" | "it";

const files = import.meta.glob<Record<string, unknown>>("../../src/locales/*/*.json", {
  eager: true,
  import: "default",
});

await i18next.init({
  resources: {},
  lng: "en",
  defaultNS: "common",
  interpolation: { escapeValue: false },
  returnNull: false,
});
for (const [path, texts] of Object.entries(files)) {
  const [language = "", file = ""] = path.split("/").slice(-2);
  i18next.addResourceBundle(language, file.replace(".json", ""), texts);
}

/** The words that the UI shows in a language. */
export const wordsOf = (language: Language): TFunction => i18next.getFixedT(language);
