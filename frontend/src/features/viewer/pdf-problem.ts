import { ApiProblem } from "@/lib/api/problem";
import { i18n } from "@/lib/i18n/i18n";

/** Translate an error of pdf.js into a problem. Its own messages are English and name addresses. */
export function asProblem(reason: unknown): unknown {
  if (!(reason instanceof Error)) return reason;
  if (reason.name === "InvalidPDFException") {
    return new ApiProblem({
      status: 422,
      code: "corrupt",
      title: "",
      detail: `${i18n.t("documents.failure.corrupt.label")}.`,
      hint: i18n.t("documents.failure.corrupt.remedy"),
    });
  }
  if (reason.name !== "ResponseException" || !("status" in reason)) return reason;
  const status = Number(reason.status);
  return new ApiProblem({ status, code: `http_${status}`, title: "", detail: "" });
}

export const isDamaged = (error: unknown): boolean => error instanceof ApiProblem && error.code === "corrupt";
