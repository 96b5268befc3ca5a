import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { i18n } from "@/lib/i18n/i18n";
import { renderInApp, renderWithLinks } from "@/test-rendering";
import { CoverageNote, FailureCounts } from "./coverage-note";
import type { SearchResponse } from "./use-search";

const COVERAGE: SearchResponse["metadata"]["coverage"] = {
  documents_in_scope: 4,
  documents_searched: 4,
  documents_processing: 0,
  documents_failed: 0,
  pages_unreadable: 0,
  share_embedded: 1,
};

function response(expansions: SearchResponse["metadata"]["expansions"]): SearchResponse {
  return { data: [], message: "", metadata: { coverage: COVERAGE, confidence: 0.9, expansions } } as never;
}

it("says what else was looked for, and why", () => {
  const expansions = [{ term: "PP&E", synonyms: ["property, plant and equipment", "immobili"] }];
  renderInApp(<CoverageNote coverage={COVERAGE} response={response(expansions)} />);
  const said = i18n.t("search.expanded", { term: "PP&E", synonyms: "property, plant and equipment, immobili" });
  expect(screen.getByText(said)).toBeVisible();
  expect(said).toContain("PP&E");
});

it("leads to the documents that failed, and counts unreadable pages", async () => {
  const coverage = { ...COVERAGE, documents_failed: 3, pages_unreadable: 1 };
  await renderWithLinks(<FailureCounts coverage={coverage} />, ["/documents"]);
  const link = screen.getByRole("link", { name: "3 failed documents" });
  expect(decodeURIComponent(link.getAttribute("href") ?? "")).toContain("/documents?status=");
  expect(screen.getByText("1 unreadable page")).toBeVisible();
});

it("says nothing where all was searched as it was asked", () => {
  renderInApp(<CoverageNote coverage={COVERAGE} response={response([])} />);
  expect(screen.queryByRole("status")).toBeNull();
});
