import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import en from "./en.json";
import { localeOf } from "./locale";

export const LANGUAGES = { en: "English", it: "Italiano" } as const;
export type Language = keyof typeof LANGUAGES;

const STORAGE_KEY = "lectern-language";

function preferredLanguage(): Language {
  const stored = localStorage.getItem(STORAGE_KEY);
  if (stored === "en" || stored === "it") return stored;
  return navigator.language.toLowerCase().startsWith("it") ? "it" : "en";
}

/** English is part of the app, because what another language lacks is said in it; others come when they are wanted. */
async function load(language: Language): Promise<void> {
  if (language === "it" && !i18next.hasResourceBundle("it", "translation")) {
    const [{ default: texts }] = await Promise.all([import("./it.json"), import("./italian-problems")]);
    i18next.addResourceBundle("it", "translation", texts);
  }
}

export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORAGE_KEY, language);
  await load(language);
  await i18next.changeLanguage(language);
}

void i18next.use(initReactI18next).init({
  resources: { en: { translation: en } },
  lng: "en",
  fallbackLng: "en",
  interpolation: { escapeValue: false },
  returnNull: false,
  // words that come after a page was drawn are shown at once
  react: { bindI18nStore: "added" },
});
i18next.services.formatter?.add("number", (value: number, language = "en") =>
  value.toLocaleString(localeOf(language)),
);
i18next.on("languageChanged", (language) => {
  document.documentElement.lang = language;
});
document.documentElement.lang = i18next.language;

/** Resolves when texts are in the language of the reader; in English when the other could not be loaded. */
export const languageReady: Promise<void> = (async () => {
  const language = preferredLanguage();
  if (language === "en") return;
  try {
    await load(language);
    await i18next.changeLanguage(language);
  } catch (error) {
    reportError(error);
  }
})();

export const i18n = i18next;
