import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import type { DocumentRecord } from "./use-document";
import { VersionsList } from "./versions-list";

const DOCUMENT = {
  id: "d1",
  version: 2,
  newer_version: null,
  progress: null,
  deleted_at: null,
  collection: { id: "c1", name: "Library" },
} as unknown as DocumentRecord;
const VERSION = {
  ...{ filename: "rules.txt", content_type: "text/plain", size_bytes: 2_000, sha256: "", page_count: 1 },
  ...{ chunk_count: 4, chunks_kept: null, chunks_new: null, chunks_gone: null, restored_from: null },
  ...{
    job_id: null,
    error: null,
    created_by: "user:u1",
    created_at: "2026-11-22T10:00:00Z",
    current_at: null,
  },
};
const VERSIONS = [
  {
    ...VERSION,
    number: 2,
    state: "current",
    is_current: true,
    chunks_kept: 3,
    chunks_new: 1,
    chunks_gone: 2,
  },
  { ...VERSION, number: 1, state: "replaced", is_current: false },
];

function open({ canWrite = true } = {}) {
  const accepted = { document: DOCUMENT, version: VERSIONS[0], job_id: "j1", is_unchanged: false };
  const asked = answerRequests({
    "GET /api/v1/auth/me": () => ({ id: "u1", role: "editor", can_write: canWrite }),
    "GET /api/v1/collections": () => ({
      items: [{ id: "c1", name: "Library", can_write: canWrite }],
      total: 1,
      next_cursor: null,
    }),
    "GET /api/v1/documents/d1/versions": () => ({ items: VERSIONS, total: 2, next_cursor: null }),
    "POST /api/v1/documents/d1/versions/1/restore": () => accepted,
    "PUT /api/v1/documents/d1/content": () => accepted,
  });
  return { asked, ...renderInApp(<VersionsList document={DOCUMENT} />) };
}

it("says what each version kept of the one before, and hands out its file", async () => {
  open();
  await screen.findByText("Passages: 3 kept, 1 new, 2 gone");
  const file = screen.getByRole("link", { name: "Download version 1" });
  expect(file.getAttribute("href")).toBe("/api/v1/documents/d1/versions/1/original");
});

it("restores an older version, never the current one", async () => {
  const { asked } = open();
  fireEvent.click(await screen.findByRole("button", { name: "Restore version 1" }));
  await waitFor(() => expect(asked.some(({ method }) => method === "POST")).toBe(true));
  expect(screen.queryByRole("button", { name: "Restore version 2" })).toBeNull();
});

it("sends a chosen file as the next version, under its own name", async () => {
  const { asked, container } = open();
  await screen.findByRole("button", { name: "Upload a new version" });
  const input = container.querySelector("input[type=file]") as HTMLInputElement;
  fireEvent.change(input, { target: { files: [new File(['"new rules"'], "new rules.txt")] } });
  await waitFor(() => expect(asked.some(({ method }) => method === "PUT")).toBe(true));
  const sent = asked.find(({ method }) => method === "PUT");
  expect([sent?.query.get("filename"), sent?.body]).toEqual(["new rules.txt", "new rules"]);
});

it("offers no change to whom may only read", async () => {
  open({ canWrite: false });
  await screen.findByText("Passages: 3 kept, 1 new, 2 gone");
  expect(screen.queryByRole("button", { name: /Restore|Upload/ })).toBeNull();
});
