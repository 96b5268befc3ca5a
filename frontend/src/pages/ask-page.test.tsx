import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { documentOf } from "@/features/events/test-samples";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { AskStart } from "./ask-page";

const THREAD = {
  ...{ id: "t1", title: "How long is the notice?", updated_at: "2026-11-29T10:00:00Z", answer_count: 1 },
  scope: { collections: [], tags: [], tags_all: [], tags_none: [], documents: [] },
};

it("shows the threads once it is known which examples stand above them", async () => {
  let send: (outline: object) => void = () => undefined;
  const outline = new Promise<object>((resolve) => {
    send = resolve;
  });
  const asked = answerRequests({
    "GET /api/v1/documents": () => ({ items: [documentOf()], total: 1, next_cursor: null }),
    "GET /api/v1/documents/d1/outline": () => outline,
    "GET /api/v1/threads": () => ({ items: [THREAD], total: 1, next_cursor: null }),
  });
  await renderWithLinks(<AskStart url={{}} />, ["/ask"]);
  for (const path of ["/api/v1/documents/d1/outline", "/api/v1/threads"]) {
    await expect.poll(() => asked.some((one) => one.path === path)).toBe(true);
  }
  expect(screen.queryByRole("heading", { name: "Recent threads" })).toBeNull();

  send({ items: [{ title: "What was sold?", level: 1, page_number: 2 }] });
  expect(await screen.findByRole("link", { name: /What was sold/ })).toBeVisible();
  expect(await screen.findByRole("link", { name: THREAD.title })).toBeVisible();
});
