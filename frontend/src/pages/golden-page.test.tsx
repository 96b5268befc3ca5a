import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { GoldenPage } from "./golden-page";

const ME = { id: "u1", name: "Ada", role: "admin", can_write: true };

it("offers to measure nothing while there is no golden query", async () => {
  answerRequests({
    "GET /api/v1/auth/me": () => ME,
    "GET /api/v1/evaluations/golden": () => ({ items: [], total: 0, next_cursor: null }),
  });
  await renderWithLinks(<GoldenPage />, ["/search", "/documents/$documentId"]);
  expect(await screen.findByText("No search tests yet")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Run tests" })).toBeNull();
  expect(screen.queryByText("Compare a setting")).toBeNull();
});
