import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderWithLinks } from "@/test-rendering";
import { StatusTiles } from "./status-tiles";
import type { SystemFacts } from "./use-system";

const facts = (failed: number) =>
  ({
    status: "ready",
    checks: { database: "ok" },
    queue: { queued: 0, running: 0, failed, workers: 1, oldest_queued_at: null },
    disk: { free_bytes: 5e9, total_bytes: 9e9, is_low: false },
    library: { chunks: 10 },
    storage: { original_bytes: 1 },
    embeddings: { embedding_model: "e5", embedded_chunks: 10, generations: [] },
  }) as unknown as SystemFacts;

it.each([
  [0, "All systems working."],
  [2, "Some parts need attention."],
])("sums up what the tiles say, with %i failed jobs", async (failed, summary) => {
  await renderWithLinks(<StatusTiles facts={facts(failed)} />, ["/jobs"]);
  expect(await screen.findByRole("status")).toHaveTextContent(summary);
});
