import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { ThreadList } from "./thread-list";

const THREAD = {
  ...{ id: "t1", title: "How long is the notice?", updated_at: "2026-11-29T10:00:00Z", answer_count: 1 },
  scope: { collections: [], tags: [], all_tags: [], not_tags: [], documents: [] },
};

it("leaves the name of a thread as it was on Escape, with the focus where it began", async () => {
  const asked = answerRequests({
    "GET /api/v1/threads": () => ({ items: [THREAD], total: 1, next_cursor: null }),
  });
  await renderWithLinks(<ThreadList />, ["/ask"]);
  const pencil = await screen.findByRole("button", { name: `Rename “${THREAD.title}”` });
  await userEvent.click(pencil);
  await userEvent.type(screen.getByRole("textbox", { name: "Name of the thread" }), " Really?{Escape}");
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.getByRole("link", { name: THREAD.title })).toBeVisible();
  expect(pencil).toHaveFocus();
  expect(asked.every(({ method }) => method === "GET")).toBe(true);
});
