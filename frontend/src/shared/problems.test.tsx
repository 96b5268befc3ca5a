import { readFileSync } from "node:fs";
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiProblem, type ProblemDetails, toProblem } from "@/lib/api/problem";
import { i18n } from "@/lib/i18n/i18n";
import italianProblems from "@/locales/it/problems.json";
import { renderInApp } from "@/test-rendering";
import { errorText, finalTitleOf } from "./notify";
import { ErrorState, ProblemAlert } from "./states";

// a test of the API holds this page against the code
const REFERENCE = readFileSync(`${import.meta.dirname}/../../../docs/reference/errors.md`, "utf-8");
const codes = [...new Set([...REFERENCE.matchAll(/^\| `(\w+)` /gm)].map(([, code]) => String(code)))];
const sentences: Record<string, string | string[]> = italianProblems;

const said = (code: string, members: Partial<ProblemDetails> = {}) =>
  errorText(new ApiProblem({ status: 422, title: "", code, detail: "In English.", hint: "Do.", ...members }));

beforeEach(() => i18n.changeLanguage("it"));
afterEach(() => i18n.changeLanguage("en"));

describe("problems in Italian", () => {
  it("ask to sign in again where the API asks a program for a key", () => {
    expect(said("unauthorized", { status: 401 })).toBe(i18n.t("account.sessionEnded"));
  });

  it("have a sentence for every code of the API's error catalogue, and for none that it has not", () => {
    expect(codes.length).toBeGreaterThan(100);
    expect(Object.keys(sentences).sort()).toEqual(codes.toSorted());
  });

  it.each(Object.keys(sentences))("say %s also when the problem carries no values", (code) => {
    expect(said(code, { detail: "", hint: undefined })).toMatch(/^\p{Lu}[^{}]{12,}\.$/u);
    expect([sentences[code]].flat().at(-1)).not.toContain("{{");
  });

  it("name the values that the problem carries, as a person writes them", () => {
    expect(said("file_too_large", { max_bytes: 104_857_600 })).toContain("il limite di 105 MB");
    expect(said("unknown_tag", { unknown: ["conrtatti"], close_matches: ["contratti"] })).toBe(
      "L'etichetta conrtatti non esiste. Forse cercavi: contratti.",
    );
    expect(said("unknown_tag", { unknown: ["x"], close_matches: [] })).toBe("L'etichetta x non esiste.");
    expect(said("unknown_collection", { unknown: [..."abcdefg"] })).toContain("a, b, c, d, e, …");
    expect(said("unknown_language", { available: ["it", "en"] })).toContain("Italiano, Inglese");
    expect(said("generation_incomplete", { document_count: 3 })).toMatch(/per significato: 3\. Non è/);
    expect(said("rate_limited", { limit_per_minute: 1200, retry_after_seconds: 7 })).toMatch(/1200.*7 s/);
  });

  it("name the fields of a request and the rules that they broke", () => {
    const errors = [
      { field: "body.name", code: "string_too_short", message: "", limit: { min_length: 1 } },
      { field: "body.tags.0", code: "of_tomorrow", message: "", limit: null },
      { field: "body", code: "nothing_to_change", message: "" },
    ];
    expect(said("validation_error", { errors })).toBe(
      "Controlla i valori inseriti: nome: lunghezza minima 1, etichette: non è valido, indica almeno una cosa da cambiare.",
    );
    expect(said("validation_error", { errors: [{ field: "body.groups", code: "repeated_group", message: "" }] })).toBe(
      "Controlla i valori inseriti: gruppi: lo stesso gruppo è elencato più volte.",
    );
    expect(said("validation_error")).toBe("Controlla i valori inseriti: In English.");
  });

  it("are in the API's words for a code that is new, and in English everywhere", async () => {
    expect(said("of_tomorrow")).toBe("In English. Do.");
    await i18n.changeLanguage("en");
    expect(said("unknown_tag", { unknown: ["x"] })).toBe("In English. Do.");
    const errors = [
      { field: "body.allowed_networks.0", code: "ip_any_network", message: "Wrong." },
      { field: "body", code: "nothing_to_change", message: "Empty." },
    ];
    expect(said("validation_error", { errors, hint: undefined })).toBe("Allowed networks: Wrong; Empty.");
  });

  it("never show the page of a proxy in between", async () => {
    const problem = await toProblem(new Response("<html>502 Bad Gateway</html>", { status: 502 }));
    expect(errorText(problem)).toMatch(/^Risposta imprevista dal server \(502\)/);
  });
});

it("a sentence stays as it is", () => {
  expect(errorText("The endpoint answered 500.")).toBe("The endpoint answered 500.");
});

it("a list that failed says why in the person's language", async () => {
  const error = new ApiProblem({
    status: 403,
    code: "admins_only",
    title: "",
    detail: "Only administrators.",
  });
  renderInApp(<ErrorState error={error} />);
  expect(screen.getByRole("alert")).toHaveTextContent("Only administrators.");
  await i18n.changeLanguage("it");
  expect(await screen.findByText("Solo gli amministratori possono farlo.")).toBeInTheDocument();
});

describe("the panel of an error", () => {
  const onRetry = () => undefined;
  const fail = (status: number) => new ApiProblem({ status, code: "x", title: "", detail: "Write a word." });

  it("offers to try again what may work the next time", () => {
    renderInApp(<ErrorState error={fail(503)} onRetry={onRetry} />);
    expect(screen.getByRole("alert")).toHaveTextContent("Something went wrong");
    expect(screen.getByRole("button", { name: "Try again" })).toBeInTheDocument();
  });

  it("asks for other words if these are refused", () => {
    renderInApp(<ErrorState error={fail(422)} onRetry={onRetry} />);
    expect(screen.getByRole("alert")).toHaveTextContent("Check your inputWrite a word.");
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("has the same title as the message that passes by", () => {
    expect([404, 422, 503].map((status) => finalTitleOf(fail(status)))).toEqual([
      "Non trovato",
      "Controlla i dati inseriti",
      undefined,
    ]);
  });

  it("does not offer to try again what does not exist", () => {
    renderInApp(<ErrorState error={fail(404)} onRetry={onRetry} />);
    expect(screen.getByRole("alert")).toHaveTextContent("Not found");
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("hides the technical text of a fault of the page", () => {
    renderInApp(<ErrorState error={new TypeError("x is undefined")} onRetry={onRetry} />);
    expect(screen.getByText(/^An unexpected error occurred/)).toBeVisible();
    expect(screen.getByText("TypeError: x is undefined", { exact: false })).not.toBeVisible();
    expect(screen.getByRole("button", { name: "Try again" })).toBeInTheDocument();
  });
});

it("shows what is between backticks as code", () => {
  const error = new ApiProblem({ status: 503, title: "", code: "new", detail: "Down.", hint: "Run `lectern doctor`." });
  renderInApp(<ProblemAlert error={error} />);
  expect(screen.getByRole("alert")).toHaveTextContent("Down. Run lectern doctor.");
  expect(screen.getByText("lectern doctor").tagName).toBe("CODE");
});
