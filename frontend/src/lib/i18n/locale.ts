import type { Language } from "./i18n";

/**
 * English without a country is written as most of the world writes it, not as the United States do: the day before the
 * month, hours up to 24.
 */
const WITHOUT_COUNTRY: Record<Language, string> = { en: "en-GB", it: "it-IT" };

/**
 * How a language of the UI writes dates and numbers for this reader: the first country that the browser names with it,
 * `en-AU` or `it-CH`, whatever other languages come before.
 */
export function localeOf(language: string, wanted: readonly string[] = navigator.languages): string {
  const own = wanted.find((tag) => tag.toLowerCase().startsWith(`${language}-`));
  return own ?? WITHOUT_COUNTRY[language as Language] ?? language;
}
