import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { SystemCards } from "./system-cards";
import type { SystemFacts } from "./use-system";

const FACTS = {
  library: { documents: {}, chunks: 0 },
  versions: {},
  storage: { kind: "folder" },
  disk: null,
  embeddings: { generations: [] },
  started_at: "2026-11-20T10:00:00Z",
};

it.each([
  ["available", "Shows Office files as printed"],
  ["not_installed", "Not installed: Office files are shown as text"],
  ["not_confined", "No sandbox here: Office files are shown as text"],
])("says what becomes of Office files where LibreOffice is %s", async (status, text) => {
  answerRequests({});
  await renderWithLinks(<SystemCards facts={{ ...FACTS, office_pages: status } as unknown as SystemFacts} />, []);
  expect(await screen.findByText("LibreOffice")).toBeVisible();
  expect(screen.getByText(text)).toBeVisible();
});
