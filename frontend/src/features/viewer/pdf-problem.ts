import { ApiProblem } from "@/lib/api/problem";
import { i18n } from "@/lib/i18n/i18n";

/** Why a PDF is not shown: pdf.js names addresses and its own terms, and speaks no language of the person. */
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
