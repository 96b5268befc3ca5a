import { expect, it } from "vitest";
import { toExamples } from "./examples";

const outlined = (title: string | null, ...headings: string[]) => ({
  title,
  headings: headings.map((heading) => ({ title: heading })),
});

it("takes from each document the heading that says the most, without its number", () => {
  expect(
    toExamples([outlined("Travel policy", "Scope", "2.1 Hotels and meals", "3) Claims", "Travel policy")]),
  ).toEqual([{ title: "Travel policy", heading: "Hotels and meals" }]);
});

it("prefers a heading that is a question, and keeps a first word that is no number", () => {
  const [example] = toExamples([outlined("FAQ", "A long heading about many things", "A guide", "Who may travel?")]);
  expect(example?.heading).toBe("Who may travel?");
  expect(toExamples([outlined("Guide", "A guide")])[0]?.heading).toBe("A guide");
});

it("skips documents without a title or a heading, and repeated titles", () => {
  const documents = [
    outlined(null, "One heading"),
    outlined("Scan"),
    outlined("A", "One heading"),
    outlined("A", "Other one"),
  ];
  expect(toExamples(documents)).toEqual([{ title: "A", heading: "One heading" }]);
  expect(toExamples([])).toEqual([]);
});
