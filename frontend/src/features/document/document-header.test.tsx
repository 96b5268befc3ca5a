import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { DocumentHeader } from "./document-header";

async function open(title: string | null) {
  answerRequests({});
  const document = {
    ...{ id: "d1", filename: "lease.pdf", title, content_type: "application/pdf", deleted_at: null, tags: [] },
    ...{ status: "ready", unreadable_page_count: 0, collection: { id: "c1", name: "Contracts" } },
  };
  await renderWithLinks(<DocumentHeader document={document as never} url={{}} />, ["/documents"]);
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
