import { expect, it } from "vitest";
import { withCitations } from "./answer-panel";
import type { Citation } from "./answer-stream";

it("names under the answer what each of its numbers stands for", () => {
  const citation = {
    number: 1,
    title: "Policy",
    document: "policy.pdf",
    page_number: 3,
    snippet: "Invoices\tkept for\ntwo years",
  };
  const text = withCitations({
    question: "How long?",
    sentences: [
      { text: "Two years.", citations: [1] },
      { text: "Not longer.", citations: [] },
    ],
    citations: [citation as Citation, { ...citation, number: 2, snippet: "", basis: "image" } as Citation],
  });
  expect(text).toBe(
    "How long?\n\nTwo years. [1] Not longer.\n\n[1] Policy (policy.pdf), p. 3: “Invoices · kept for two years”\n[2] Policy (policy.pdf), p. 3",
  );
});
