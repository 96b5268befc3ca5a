import { describe, expect, it } from "vitest";

type Texts = Record<string, unknown>;

const files = import.meta.glob<Texts>("./*/*.json", { eager: true, import: "default" });
const languages = [...new Set(Object.keys(files).map((path) => path.split("/")[1]))];
const namespaces = Object.keys(files)
  .filter((path) => path.startsWith("./en/"))
  .map((path) => path.replace("./en/", ""));

/** Every text by its path; the sentences of a list are counted. */
function texts(tree: object, prefix = ""): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "object" && value !== null
      ? texts(value, `${prefix}${key}.`)
      : [[`${prefix}${key}`, String(value)] as [string, string]],
  );
}

const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]).sort();
const shape = (tree: Texts) => texts(tree).map(([key, text]) => `${key}: ${placeholders(text).join(" ")}`);

it("there are several languages, each with every namespace of English", () => {
  expect(languages.length).toBeGreaterThan(1);
  expect(namespaces.length).toBeGreaterThan(5);
});

describe.each(languages)("texts in %s", (language) => {
  it.each(namespaces)("%s has the keys and placeholders of English", (file) => {
    expect(shape(files[`./${language}/${file}`] ?? {}).sort()).toEqual(shape(files[`./en/${file}`] ?? {}).sort());
  });

  it("are never empty", () => {
    const own = Object.entries(files).filter(([path]) => path.startsWith(`./${language}/`));
    expect(own.flatMap(([, tree]) => texts(tree)).filter(([, text]) => text.trim() === "")).toEqual([]);
  });
});

// English problems are the API's own sentences
it.each(languages.filter((language) => language !== "en"))("%s has problems and validation rules", (language) => {
  expect(Object.keys(files[`./${language}/problems.json`] ?? {}).length).toBeGreaterThan(100);
  expect(files[`./${language}/validation.json`]).toHaveProperty("rules.other");
});
