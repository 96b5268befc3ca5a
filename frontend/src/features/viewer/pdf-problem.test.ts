import { expect, it } from "vitest";
import { ApiProblem } from "@/lib/api/problem";
import { asProblem } from "./pdf-problem";

const refused = (status: number) =>
  Object.assign(new Error(`Unexpected server response (${status}) while retrieving PDF "http://x/y".`), {
    name: "ResponseException",
    status,
  });

it.each([0, 429, 503])("tells an answer %d to the file as every other answer", (status) => {
  const problem = asProblem(refused(status));
  expect(problem).toBeInstanceOf(ApiProblem);
  expect((problem as ApiProblem).status).toBe(status);
});

it("leaves what went wrong in the file itself", () => {
  const invalid = Object.assign(new Error("Invalid PDF structure."), { name: "InvalidPDFException" });
  expect(asProblem(invalid)).toBe(invalid);
});
