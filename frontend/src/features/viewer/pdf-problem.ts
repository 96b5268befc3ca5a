import { ApiProblem } from "@/lib/api/problem";

/** Why a PDF did not come: what pdf.js says of an answer names an address, and is in no language of the person. */
export function asProblem(reason: unknown): unknown {
  if (!(reason instanceof Error) || reason.name !== "ResponseException" || !("status" in reason))
    return reason;
  const status = Number(reason.status);
  return new ApiProblem({ status, code: `http_${status}`, title: "", detail: "" });
}
