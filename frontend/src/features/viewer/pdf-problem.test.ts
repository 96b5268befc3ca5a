import { expect, it } from "vitest";
import { ApiProblem } from "@/lib/api/problem";
import { errorText, finalTitleOf } from "@/shared/notify";
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

it("says in the person's words that a file is damaged", () => {
  const invalid = Object.assign(new Error("Invalid PDF structure."), { name: "InvalidPDFException" });
  const problem = asProblem(invalid);
  expect(finalTitleOf(problem)).toBe("The file cannot be read");
  expect(errorText(problem)).toBe("The file is damaged. Open it in its own program, save a new copy and upload that.");
});

it("leaves what it has no words for", () => {
  const unknown = new Error("Worker was terminated.");
  expect(asProblem(unknown)).toBe(unknown);
});
