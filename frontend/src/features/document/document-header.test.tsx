import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { DocumentHeader } from "./document-header";

async function open(title: string | null, { deletedAt = null as string | null } = {}) {
  const collection = { id: "c1", name: "Contracts", can_write: true };
  const asked = answerRequests({
    "GET /api/v1/auth/me": () => ({ id: "u1", can_write: true }),
    "GET /api/v1/collections": () => ({ items: [collection], total: 1, next_cursor: null }),
    "POST /api/v1/documents/bulk": () => ({ action: "restore", matched: 1, changed: 1, skipped: 0, ids: null }),
  });
  const document = {
    ...{ id: "d1", filename: "lease.pdf", title, content_type: "application/pdf", tags: [], deleted_at: deletedAt },
    ...{ status: "ready", unreadable_page_count: 0, collection },
  };
  await renderWithLinks(<DocumentHeader document={document as never} url={{}} />, ["/documents"]);
  return asked;
}

it("shows the filename once if a document has no title", async () => {
  await open(null);
  expect(screen.getByRole("heading", { name: "lease.pdf" })).toBeVisible();
  expect(screen.getByText("Contracts")).toBeVisible();
});

it("shows the filename below a title", async () => {
  await open("Lease");
  expect(screen.getByText("lease.pdf · Contracts")).toBeVisible();
});

it("restores a document from the trash", async () => {
  const asked = await open("Lease", { deletedAt: "2026-11-29T10:00:00Z" });
  fireEvent.click(await screen.findByRole("button", { name: "Restore" }));
  await waitFor(() => expect(asked.map(({ body }) => body)).toContainEqual({ action: "restore", ids: ["d1"] }));
});
