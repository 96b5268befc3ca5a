/** English without a country puts the day before the month and uses 24 hours, like most of the world. */
const WITHOUT_COUNTRY: Record<string, string> = { en: "en-GB" };

/**
 * Return the locale in which a UI language writes dates and numbers for this reader.
 * It is the first country that the browser lists for the language, such as `en-AU` or `it-CH`.
 */
export function localeOf(language: string, wanted: readonly string[] = navigator.languages): string {
  const own = wanted.find((tag) => tag.toLowerCase().startsWith(`${language}-`));
  return own ?? WITHOUT_COUNTRY[language] ?? defaultCountry(language);
}

function defaultCountry(language: string): string {
  const { region } = new Intl.Locale(language).maximize();
  return region ? `${language}-${region}` : language;
}
