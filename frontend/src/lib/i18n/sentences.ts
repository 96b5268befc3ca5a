import { formatBytes, formatNumber } from "@/lib/format";
import { i18n } from "./i18n";

export type Values = Record<string, unknown>;

const MAX_NAMES = 5;
const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** Format a value for a sentence. `max_bytes` is a size, a list shows its first names. Nothing for an empty value. */
function formatValue(name: string, value: unknown): string | null {
  if (typeof value === "number") return name.endsWith("_bytes") ? formatBytes(value) : formatNumber(value);
  if (typeof value === "string") return value || null;
  if (!Array.isArray(value) || value.length === 0) return null;
  const more = value.length > MAX_NAMES ? ", …" : "";
  return value.slice(0, MAX_NAMES).join(", ") + more;
}

/**
 * Return the first sentence of a key whose placeholders all have a value, in the reader's language or in English.
 * A key holds one sentence or a list, the most precise first.
 */
export function completeSentence(namespace: string, key: string, values: Values): string | null {
  const bundle = [i18n.language, "en"]
    .map((language) => i18n.getResource(language, namespace, key) as string | string[] | undefined)
    .find((candidate) => candidate !== undefined);
  for (const sentence of [bundle ?? []].flat()) {
    const names = [...sentence.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
    const texts = names.map((name) => [name, formatValue(name, values[name])] as const);
    if (texts.some(([, text]) => text === null)) continue;
    return i18n.services.interpolator?.interpolate(sentence, Object.fromEntries(texts), i18n.language, {});
  }
  return null;
}
