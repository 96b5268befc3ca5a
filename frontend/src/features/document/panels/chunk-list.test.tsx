import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { ChunkList } from "./chunk-list";

const CHUNK = {
  ...{ id: "c1", chunk_index: 0, char_start: 0, char_end: 40, token_count: 9, content_type: "text" },
  ...{ section_path: [], language: "en", text: "## Working hours\n\n### Rotas\n\nThree weeks ahead." },
};

const FAILURE = "The file is damaged";

const list = (items: unknown[], failure: string | null = null) => {
  answerRequests({
    "GET /api/v1/documents/d1/chunks": () => ({ items, total: items.length, next_cursor: null }),
  });
  return renderInApp(
    <ChunkList documentId="d1" pageNumber={1} failure={failure} selectedStart={undefined} onSelect={() => undefined} />,
  );
};

it("spends none of its few lines on empty ones", async () => {
  list([CHUNK]);
  const text = await screen.findByText(/Working hours/);
  expect(text.textContent).toBe("Working hours\nRotas\nThree weeks ahead.");
});

it("says why a document could not be processed", async () => {
  list([], FAILURE);
  expect(await screen.findByText(FAILURE)).toBeVisible();
  expect(screen.queryByText("No passages on this page")).toBeNull();
});
