import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { AttentionList } from "./attention-list";

const failedDocument = (code: string, index: number) => ({
  ...{ id: `d${index}`, filename: `${index}.pdf`, title: `${index}.pdf`, content_type: "application/pdf" },
  ...{ status: "failed", tags: [], collection: { id: "c1", name: "Library" }, unreadable_page_count: 0 },
  error: { code, message: "It failed.", hint: null },
});

async function open(codes: string[], total = codes.length, working = 0) {
  answerRequests({
    "GET /api/v1/auth/me": () => ({ can_write: true }),
    "GET /api/v1/collections": () => ({ items: [{ id: "c1", can_write: true }], next_cursor: null }),
    "GET /api/v1/documents": ({ query }) =>
      query.getAll("status").includes("failed")
        ? { items: codes.map(failedDocument), total, next_cursor: null }
        : { items: [], total: working, next_cursor: null },
  });
  await renderWithLinks(<AttentionList />, ["/documents", "/documents/$documentId"]);
}

it.each([
  [["encrypted", "corrupt", "empty", "corrupt"], 4, "3 failed · 1 needs a password"],
  [["encrypted"], 1, "1 needs a password"],
  [["corrupt"], 1, "1 failed"],
  [["encrypted", "corrupt"], 60, "60 failed"],
])("counts each failed document once: %s of %i", async (codes, total, words) => {
  await open(codes, total);
  expect(await screen.findByRole("link", { name: words })).toBeInTheDocument();
});

it("says what is wrong beside the button that mends it", async () => {
  await open(["encrypted"]);
  await screen.findByRole("button", { name: "Unlock" });
  expect(screen.getByText("Password-protected").className).not.toContain("lectern-hidden");
});

it("says what is in progress without calling it a need of attention", async () => {
  await open([], 0, 15);
  expect(await screen.findByRole("link", { name: "15 in progress" })).toBeVisible();
  expect(screen.queryByRole("heading")).toBeNull();
});
