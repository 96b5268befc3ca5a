import { i18n } from "./i18n/i18n";

/** Numbers, sizes, dates and names of languages in the language of the person. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat(i18n.language).format(value);
}

export function formatPercent(share: number): string {
  // 99.6 % is not done: shares are rounded down.
  return new Intl.NumberFormat(i18n.language, { style: "percent" }).format(Math.floor(share * 100) / 100);
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  return new Intl.NumberFormat(i18n.language, {
    style: "unit",
    unit: UNITS[power] ?? "byte",
    unitDisplay: "short",
    maximumFractionDigits: power > 0 && value < 10 ? 1 : 0,
  }).format(value);
}

export function formatDate(moment: string): string {
  return new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium" }).format(new Date(moment));
}

export function formatDateTime(moment: string): string {
  return new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(moment),
  );
}

export function formatTime(moment: string): string {
  return new Intl.DateTimeFormat(i18n.language, { timeStyle: "short" }).format(new Date(moment));
}

/** "Italian" for `it`, in the language of the person. */
export function languageName(code: string): string {
  const name =
    new Intl.DisplayNames([i18n.language], { type: "language", fallback: "code" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(i18n.language) + name.slice(1);
}
