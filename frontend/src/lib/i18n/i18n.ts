import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { localeOf } from "./locale";

type Texts = Record<string, unknown>;

const FALLBACK = "en";
const STORAGE_KEY = "lectern-language";

// English fills the gaps of every other language: what the first page needs is part of the app. Other languages load when
// they are chosen.
const english = import.meta.glob<Texts>("../../locales/en/{common,failures,security,sharing,signin,users}.json", {
  eager: true,
  import: "default",
});
const translations = import.meta.glob<Texts>(["../../locales/*/*.json", "!../../locales/en/*.json"], {
  import: "default",
});

/** Split `../../locales/it/keys.json` into its language and its namespace. */
function partsOf(path: string): { language: string; namespace: string } {
  const [language = "", file = ""] = path.split("/").slice(-2);
  return { language, namespace: file.replace(".json", "") };
}

/** The languages of the UI: one folder of `locales` each. */
export const LANGUAGES: string[] = [
  FALLBACK,
  ...new Set(Object.keys(translations).map((path) => partsOf(path).language)),
];

function preferredLanguage(): string {
  const candidates = [localStorage.getItem(STORAGE_KEY), navigator.language.toLowerCase().split("-")[0]];
  return candidates.find((language) => language && LANGUAGES.includes(language)) ?? FALLBACK;
}

async function load(wanted: string): Promise<void> {
  await Promise.all(
    Object.entries(translations).map(async ([path, read]) => {
      const { language, namespace } = partsOf(path);
      if (language !== wanted || i18next.hasResourceBundle(language, namespace)) return;
      i18next.addResourceBundle(language, namespace, await read());
    }),
  );
}

/** Load the English texts of the pages that are not part of the app. */
export async function loadPageTexts(): Promise<void> {
  if (i18next.hasResourceBundle(FALLBACK, "ask")) return;
  const { pageTexts } = await import("./page-texts");
  for (const [path, texts] of Object.entries(pageTexts)) {
    i18next.addResourceBundle(FALLBACK, partsOf(path).namespace, texts);
  }
}

/** Load the texts of a language and show the UI in it. */
export async function applyLanguage(language: string): Promise<void> {
  await load(language);
  await i18next.changeLanguage(language);
}

/** Apply a language and remember it in this browser. */
export async function setLanguage(language: string): Promise<void> {
  localStorage.setItem(STORAGE_KEY, language);
  await applyLanguage(language);
}

void i18next.use(initReactI18next).init({
  resources: {
    [FALLBACK]: Object.fromEntries(Object.entries(english).map(([path, texts]) => [partsOf(path).namespace, texts])),
  },
  lng: FALLBACK,
  fallbackLng: FALLBACK,
  defaultNS: "common",
  interpolation: { escapeValue: false },
  returnNull: false,
});
i18next.services.formatter?.add("number", (value: number, language = FALLBACK) =>
  value.toLocaleString(localeOf(language)),
);
i18next.on("languageChanged", (language) => {
  document.documentElement.lang = language;
});
document.documentElement.lang = i18next.language;

/** Resolves when texts are in the reader's language, or in English if that language failed to load. */
export const languageReady: Promise<void> = applyLanguage(preferredLanguage()).catch((error) => reportError(error));

export const i18n = i18next;
