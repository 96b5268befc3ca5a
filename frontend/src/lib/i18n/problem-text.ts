import type { ProblemDetails } from "@/lib/api/problem";
import type { components } from "@/lib/api/schema";
import { languageName } from "@/lib/format";
import { i18n } from "./i18n";
import { completeSentence, type Values } from "./sentences";

type FieldProblem = components["schemas"]["FieldProblem"];

/** Describe a rejected field. `body.tags.0` is the field `tags`. */
function fieldText({ field, code, limit }: FieldProblem): string {
  const name = field.split(".").findLast((part) => !/^\d+$/.test(part)) ?? field;
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
    [problem.detail, problem.hint].filter(Boolean).join(" ") ||
    i18n.t("errors.unexpected", { status: problem.status })
  );
}
