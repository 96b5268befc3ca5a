import type { components } from "@/lib/api/schema";
import { formatBytes, formatNumber, languageName } from "@/lib/format";
import words from "./italian-problems.json";
import { addSpeaker, type Speaker } from "./problem-words";

type FieldProblem = components["schemas"]["FieldProblem"];
type Values = Record<string, unknown>;

const MOST_NAMES = 5;
const SLOT = /\{\{(\w+)\}\}/g;
const sentences: Record<string, string | string[]> = words.sentences;
const rules: Record<string, string> = words.rules;
const fields: Record<string, string> = words.fields;

/** A number as `max_bytes` is a size; a list is its first names. An empty list says nothing. */
function shown(name: string, value: unknown): string | null {
  if (typeof value === "number") return name.endsWith("_bytes") ? formatBytes(value) : formatNumber(value);
  if (typeof value === "string") return value || null;
  if (!Array.isArray(value) || value.length === 0) return null;
  const more = value.length > MOST_NAMES ? ", …" : "";
  return value.slice(0, MOST_NAMES).join(", ") + more;
}

/** The sentence with its values; null when one of them is not there. */
function filled(sentence: string, values: Values): string | null {
  let isWhole = true;
  const text = sentence.replace(SLOT, (_, name: string) => {
    const value = shown(name, values[name]);
    isWhole &&= value !== null;
    return value ?? "";
  });
  return isWhole ? text : null;
}

/** `body.tags.0` is known as `tags`. */
function fieldWords({ field, code, limit }: FieldProblem): string {
  const name = field.split(".").findLast((part) => !/^\d+$/.test(part)) ?? field;
  const rule = filled(rules[code] ?? "", limit ?? {}) || rules.other;
  return name === "body" ? String(rule) : `${fields[name] ?? name}: ${rule}`;
}

function valuesOf(problem: Values): Values {
  const { errors, code, available } = problem;
  const refused = Array.isArray(errors) ? (errors as FieldProblem[]).map(fieldWords) : [];
  const names =
    code === "unknown_language" && Array.isArray(available) ? available.map(languageName) : available;
  return { ...problem, available: names, fields: refused };
}

/** The first of a code's sentences all of whose values the problem carries. */
const speak: Speaker = (problem) => {
  const values = valuesOf(problem);
  for (const sentence of [sentences[problem.code] ?? []].flat()) {
    const text = filled(sentence, values);
    if (text !== null) return text;
  }
  return null;
};

addSpeaker("it", speak);
