import type { ProblemDetails } from "@/lib/api/problem";
import type { components } from "@/lib/api/schema";
import { formatBytes, formatNumber, languageName } from "@/lib/format";
import { i18n } from "./i18n";

type FieldProblem = components["schemas"]["FieldProblem"];

/** Return the name of a rejected field: `body.tags.0` is the field `tags`. */
const nameOf = (field: string): string => field.split(".").findLast((part) => !/^\d+$/.test(part)) ?? field;

/** Describe a rejected field in a language that has rules. */
function fieldText({ field, code, limit }: FieldProblem): string {
  const name = nameOf(field);
  const rule =
    completeSentence("validation", `rules.${code}`, limit ?? {}) ??
    completeSentence("validation", "rules.other", {}) ??
    code;
  return name === "body" ? rule : `${completeSentence("validation", `fields.${name}`, {}) ?? name}: ${rule}`;
}

function valuesOf(problem: ProblemDetails): Values {
  const { errors, code, available } = problem;
  const fields = Array.isArray(errors) ? (errors as FieldProblem[]).map(fieldText) : [];
  const names = code === "unknown_language" && Array.isArray(available) ? available.map(languageName) : available;
  return { ...problem, available: names, fields };
}

/**
 * Say what failed and what to do, in the reader's language.
 * English has no `problems.json`: the API's own sentences are English. They also replace a missing translation.
 */
export function problemText(problem: ProblemDetails): string {
  return (
    completeSentence("problems", problem.code, valuesOf(problem)) ||
    [detailOf(problem), problem.hint].filter(Boolean).join(" ") ||
    i18n.t("errors.unexpected", { status: problem.status })
  );
}

/** Return the API's sentence. It names fields by their path in the request, a form by their words. */
function detailOf({ detail, errors }: ProblemDetails): string {
  if (!Array.isArray(errors) || errors.length === 0) return detail;
  const fields = (errors as FieldProblem[]).map(({ field, message }) => {
    const name = nameOf(field).replaceAll("_", " ");
    const rule = message.replace(/\.$/, "");
    return name === "body" ? rule : `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${rule}`;
  });
  return `${fields.join("; ")}.`;
}

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
