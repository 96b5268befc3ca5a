import { i18n } from "./i18n/i18n";
import { localeOf } from "./i18n/locale";

/** Making an Intl object costs more than a hundred uses of it: each is made once for a locale. */
function perLocale<Format>(make: (locale: string) => Format): () => Format {
  const made = new Map<string, Format>();
  return () => {
    const locale = localeOf(i18n.language);
    const known = made.get(locale) ?? make(locale);
    made.set(locale, known);
    return known;
  };
}

const numbers = perLocale((locale) => new Intl.NumberFormat(locale));
const decimals = [0, 1, 2].map((digits) =>
  perLocale(
    (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  ),
);
const percents = perLocale((locale) => new Intl.NumberFormat(locale, { style: "percent" }));
const dates = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium" }));
const times = perLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: "short" }));
const moments = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }));
const ages = perLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" }));
const languages = perLocale((locale) => new Intl.DisplayNames([locale], { type: "language", fallback: "code" }));
const sizes = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"].flatMap((unit) =>
  [0, 1].map((maximumFractionDigits) =>
    perLocale(
      (locale) =>
        new Intl.NumberFormat(locale, {
          style: "unit",
          unit,
          unitDisplay: unit === "byte" ? "long" : "short", // the short one of English knows no plural
          maximumFractionDigits,
        }),
    ),
  ),
);

/** Numbers, sizes, dates and names of languages in the language of the person. */
export function formatNumber(value: number): string {
  return numbers().format(value);
}

export function formatDecimal(value: number, digits: 0 | 1 | 2): string {
  return decimals[digits]?.().format(value) ?? "";
}

export function formatPercent(share: number): string {
  // 99.6 % is not done: shares are rounded down.
  return percents().format(Math.floor(share * 100) / 100);
}

export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), 4);
  const value = bytes / 1000 ** power;
  const hasFraction = power > 0 && value < 10;
  return sizes[power * 2 + Number(hasFraction)]?.().format(value) ?? "";
}

export function formatDate(moment: string): string {
  return dates().format(new Date(moment));
}

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
const WEEK_S = 7 * DAY_S;

/** "2 hours ago" within a week, the date before that. */
export function formatAge(moment: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - new Date(moment).getTime()) / 1000);
  if (seconds < MINUTE_S) return ages().format(0, "second");
  if (seconds < HOUR_S) return ages().format(-Math.floor(seconds / MINUTE_S), "minute");
  if (seconds < DAY_S) return ages().format(-Math.floor(seconds / HOUR_S), "hour");
  if (seconds < WEEK_S) return ages().format(-Math.floor(seconds / DAY_S), "day");
  return formatDate(moment);
}

export function formatDateTime(moment: string): string {
  return moments().format(new Date(moment));
}

export function formatTime(moment: string): string {
  return times().format(new Date(moment));
}

/** "Italian" for `it`, in the reader's language. */
export function languageName(code: string): string {
  return capitalized(languageInSentence(code), i18n.language);
}

/** "italiano" for `it` in an Italian sentence, "Italian" in an English one. */
export function languageInSentence(code: string): string {
  return languages().of(code) ?? code;
}

/** "Italiano" for `it`: a language in its own words. */
export function ownLanguageName(code: string): string {
  return capitalized(new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code, code);
}

const capitalized = (name: string, language: string) => name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
