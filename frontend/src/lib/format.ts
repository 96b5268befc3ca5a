import { i18n } from "./i18n/i18n";

/** Making an Intl object costs more than a hundred uses of it: each is made once for a language. */
function perLanguage<Format>(make: (language: string) => Format): () => Format {
  const made = new Map<string, Format>();
  return () => {
    const known = made.get(i18n.language) ?? make(i18n.language);
    made.set(i18n.language, known);
    return known;
  };
}

const numbers = perLanguage((language) => new Intl.NumberFormat(language));
const decimals = [0, 1, 2].map((digits) =>
  perLanguage(
    (language) =>
      new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  ),
);
const percents = perLanguage((language) => new Intl.NumberFormat(language, { style: "percent" }));
const dates = perLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: "medium" }));
const times = perLanguage((language) => new Intl.DateTimeFormat(language, { timeStyle: "short" }));
const moments = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }),
);
const languages = perLanguage(
  (language) => new Intl.DisplayNames([language], { type: "language", fallback: "code" }),
);
const sizes = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"].flatMap((unit) =>
  [0, 1].map((maximumFractionDigits) =>
    perLanguage(
      (language) =>
        new Intl.NumberFormat(language, {
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

export function formatDateTime(moment: string): string {
  return moments().format(new Date(moment));
}

export function formatTime(moment: string): string {
  return times().format(new Date(moment));
}

/** "Italian" for `it`, in the language of the person. */
export function languageName(code: string): string {
  const name = languages().of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(i18n.language) + name.slice(1);
}
