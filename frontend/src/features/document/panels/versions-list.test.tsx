import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { DocumentRecord } from "@/features/document/use-document";
import { answerRequests, renderInApp } from "@/test-rendering";
import { FakeRequest } from "@/test-xhr";
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
  ...{
    chunk_count: 4,
    chunks_unchanged: null,
    chunks_added: null,
    chunks_removed: null,
    restored_from: null,
  },
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
    chunks_unchanged: 3,
    chunks_added: 1,
    chunks_removed: 2,
  },
  { ...VERSION, number: 1, state: "replaced", is_current: false },
];

const ACCEPTED = { document: DOCUMENT, version: VERSIONS[0], job_id: "j1", is_unchanged: false };
const FILE = new File(["new rules"], "new rules.txt");

beforeEach(() => {
  FakeRequest.all = [];
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
});

async function chosen() {
  const opened = open();
  await screen.findByRole("button", { name: "Upload new version" });
  const input = opened.container.querySelector("input[type=file]") as HTMLInputElement;
  return { ...opened, choose: () => fireEvent.change(input, { target: { files: [FILE] } }) };
}

function open({ canWrite = true } = {}) {
  const asked = answerRequests({
    "GET /api/v1/auth/me": () => ({ id: "u1", role: "editor", can_write: canWrite }),
    "GET /api/v1/collections": () => ({
      items: [{ id: "c1", name: "Library", can_write: canWrite }],
      total: 1,
      next_cursor: null,
    }),
    "GET /api/v1/documents/d1/versions": () => ({ items: VERSIONS, total: 2, next_cursor: null }),
    "POST /api/v1/documents/d1/versions/1/restore": () => ACCEPTED,
    "POST /api/v1/auth/refresh": () => ({}),
  });
  return { asked, ...renderInApp(<VersionsList document={DOCUMENT} />) };
}

it("says what each version kept of the one before, and hands out its file", async () => {
  open();
  await screen.findByText("Passages: 3 unchanged, 1 added, 2 removed");
  const file = screen.getByRole("link", { name: "Download version 1" });
  expect(file.getAttribute("href")).toBe("/api/v1/documents/d1/versions/1/original");
});

it("restores an older version, never the current one", async () => {
  const { asked } = open();
  fireEvent.click(await screen.findByRole("button", { name: "Restore version 1" }));
  await waitFor(() => expect(asked.some(({ method }) => method === "POST")).toBe(true));
  expect(screen.queryByRole("button", { name: "Restore version 2" })).toBeNull();
});

it("tells how much of a chosen file has been sent as the next version, under its own name", async () => {
  const { choose } = await chosen();
  choose();
  const bar = await screen.findByRole("progressbar", { name: "Uploading 0%" });
  const request = FakeRequest.latest();
  expect([request.method, request.url.pathname]).toEqual(["PUT", "/api/v1/documents/d1/content"]);
  expect([request.url.searchParams.get("filename"), request.body]).toEqual(["new rules.txt", FILE]);
  act(() => request.progress(0.42));
  expect(bar.getAttribute("aria-valuenow")).toBe("42");
  act(() => request.progress(1));
  screen.getByText("Uploaded, saving");
  act(() => request.answer(202, ACCEPTED));
  await screen.findByRole("button", { name: "Upload new version" });
});

it("goes on sending while another panel is looked at, and can be cancelled", async () => {
  const { choose, unmount } = await chosen();
  choose();
  await screen.findByRole("progressbar");
  unmount();
  act(() => FakeRequest.latest().progress(0.5));
  open();
  await screen.findByText("Uploading 50%");
  fireEvent.click(screen.getByRole("button", { name: "Cancel: new rules.txt" }));
  await screen.findByRole("button", { name: "Upload new version" });
  expect(FakeRequest.latest().isOver).toBe(true);
});

it("sends a version again when the session had to be renewed", async () => {
  const { asked, choose } = await chosen();
  choose();
  await screen.findByRole("progressbar");
  const first = FakeRequest.latest();
  act(() => first.answer(401, { code: "not_signed_in", detail: "" }));
  await waitFor(() => expect(FakeRequest.latest()).not.toBe(first));
  expect(asked.filter(({ path }) => path === "/api/v1/auth/refresh")).toHaveLength(1);
  act(() => FakeRequest.latest().answer(202, ACCEPTED));
  await screen.findByRole("button", { name: "Upload new version" });
});

it("offers no change to whom may only read", async () => {
  open({ canWrite: false });
  await screen.findByText("Passages: 3 unchanged, 1 added, 2 removed");
  expect(screen.queryByRole("button", { name: /Restore|Upload/ })).toBeNull();
});
