import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { HomePage } from "./home-page";

const ME = { id: "u1", name: "Ada", role: "admin", can_write: true, toolsets: [] };

it("shows no search field before it is known that the library is empty", async () => {
  let answer: (list: object) => void = () => undefined;
  const documents = new Promise<object>((resolve) => {
    answer = resolve;
  });
  answerRequests({
    "GET /api/v1/auth/me": () => ME,
    "GET /api/v1/samples": () => ({ is_available: true, document_count: 15, loaded_count: 0 }),
    "GET /api/v1/documents": () => documents,
  });
  await renderWithLinks(<HomePage />, ["/search", "/documents", "/documents/$documentId"]);
  await screen.findByRole("status", { name: "Loading" });
  expect(screen.queryByRole("searchbox")).toBeNull();
  answer({ items: [], total: 0, next_cursor: null });
  await screen.findByRole("button", { name: /sample/ });
  expect(screen.queryByRole("searchbox")).toBeNull();
});
