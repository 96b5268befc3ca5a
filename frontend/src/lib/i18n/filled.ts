import { formatBytes, formatNumber } from "@/lib/format";

export type Values = Record<string, unknown>;

const MOST_NAMES = 5;
const SLOT = /\{\{(\w+)\}\}/g;

/** A number as `max_bytes` is a size; a list is its first names. An empty list says nothing. */
function shown(name: string, value: unknown): string | null {
  if (typeof value === "number") return name.endsWith("_bytes") ? formatBytes(value) : formatNumber(value);
  if (typeof value === "string") return value || null;
  if (!Array.isArray(value) || value.length === 0) return null;
  const more = value.length > MOST_NAMES ? ", …" : "";
  return value.slice(0, MOST_NAMES).join(", ") + more;
}

/** The sentence with its values; null when one of them is not there. */
export function filled(sentence: string, values: Values): string | null {
  let isWhole = true;
  const text = sentence.replace(SLOT, (_, name: string) => {
    const value = shown(name, values[name]);
    isWhole &&= value !== null;
    return value ?? "";
  });
  return isWhole ? text : null;
}

/** The first of the sentences all of whose values are there. */
export function firstFilled(sentences: string | readonly string[], values: Values): string | null {
  for (const sentence of [sentences].flat()) {
    const text = filled(sentence, values);
    if (text !== null) return text;
  }
  return null;
}
