import { ModalsProvider } from "@mantine/modals";
import { Notifications } from "@mantine/notifications";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
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

describe("removing", () => {
  /** Remove the only thread, or clear the history. */
  async function remove(open: string, confirm: string, failure?: Response) {
    let threads = [THREAD];
    const answer = () => {
      if (failure) return failure;
      threads = [];
      return null;
    };
    answerRequests({
      "GET /api/v1/threads": () => ({ items: threads, total: threads.length, next_cursor: null }),
      "DELETE /api/v1/threads/t1": answer,
      "DELETE /api/v1/answers": answer,
    });
    const app = (
      <ModalsProvider>
        <Notifications />
        <ThreadList />
      </ModalsProvider>
    );
    await renderWithLinks(app, ["/ask"]);
    await userEvent.click(await screen.findByRole("button", { name: open }));
    const dialog = await screen.findByRole("dialog");
    await userEvent.click(within(dialog).getByRole("button", { name: confirm }));
  }

  it("a thread says that it is removed, once its line is gone", async () => {
    await remove(`Remove “${THREAD.title}”`, "Remove thread");
    expect(await screen.findByText("Thread removed.")).toBeVisible();
    expect(screen.queryByRole("link", { name: THREAD.title })).toBeNull();
  });

  it("all says that the history is cleared", async () => {
    await remove("Clear history", "Clear history");
    expect(await screen.findByText("History cleared.")).toBeVisible();
  });

  it("says what went wrong", async () => {
    const failure = Response.json({ code: "internal", detail: "Broken.", hint: "Try later." }, { status: 500 });
    await remove("Clear history", "Clear history", failure);
    expect(await screen.findByText("Broken. Try later.")).toBeVisible();
  });
});
