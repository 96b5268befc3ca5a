import type { components } from "@/lib/api/schema";
import { languageName } from "@/lib/format";
import { filled, firstFilled, type Values } from "./filled";
import words from "./italian-problems.json";
import { addSpeaker, type Speaker } from "./problem-words";

type FieldProblem = components["schemas"]["FieldProblem"];

const sentences: Record<string, string | string[]> = words.sentences;
const rules: Record<string, string> = words.rules;
const fields: Record<string, string> = words.fields;

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
const speak: Speaker = (problem) => firstFilled(sentences[problem.code] ?? [], valuesOf(problem));

addSpeaker("it", speak);
