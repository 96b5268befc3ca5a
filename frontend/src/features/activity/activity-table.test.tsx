import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { i18n } from "@/lib/i18n/i18n";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { ActivityTable } from "./activity-table";

const at = "2026-11-22T10:00:00Z";
const EVENTS = [
  {
    ...{ id: "1", at, actor: "user:u1", actor_name: "Ada", action: "document.update" },
    ...{ target: "document:d1", target_name: "Lease", details: { title: "Lease", before: { title: "Draft" } } },
  },
  { id: "2", at, actor: "user:u1", actor_name: "Ada", action: "session.create", target: "session:s1", details: {} },
  {
    ...{ id: "3", at, actor: "anonymous", action: "session.refused", target: "email:ada@example.org" },
    ...{ actor_name: null, target_name: null, details: {} },
  },
  {
    ...{ id: "4", at, actor: "system", action: "collection.create", target: "collection:c1" },
    ...{ details: { name: "Contracts", description: "", is_open: true } },
  },
  { id: "5", at, actor: "user:gone", action: "embeddings.use", target: "generation:2", details: { before: 1 } },
  {
    ...{ id: "6", at, actor: "user:u1", actor_name: "Ada", action: "document.purge", target: "document:d2" },
    ...{ target_name: null, details: {} },
  },
  {
    ...{ id: "7", at, actor: "user:u1", actor_name: "Ada", action: "sign_in_settings.update", target: "settings" },
    ...{ target_name: null, details: { groups: [{ name: "staff", role: "editor", collections: [] }] } },
  },
  {
    ...{ id: "8", at, actor: "user:u1", actor_name: "Ada", action: "documents.delete", target: "", target_name: null },
    details: { ids: ["d3", "d4"], action: "delete", matched: 2, changed: 2 },
  },
  {
    ...{ id: "9", at, actor: "user:u1", actor_name: "Ada", action: "user.update", target: "user:u2" },
    ...{ target_name: "ben@example.org", details: { password: "changed" } },
  },
];

const NOBODY = {
  "GET /api/v1/users": () => ({ items: [], total: 0, next_cursor: null }),
  "GET /api/v1/keys": () => ({ items: [], total: 0, next_cursor: null }),
};

it("says who did what in words, what changed, and leads to the document", async () => {
  const asked = answerRequests({
    "GET /api/v1/system/audit": () => ({ items: EVENTS, total: EVENTS.length, next_cursor: null }),
    ...NOBODY,
  });
  const filter = { who: "user:u1", document: "d1", from: "2026-11-01" };
  await renderWithLinks(<ActivityTable filter={filter} onClear={vi.fn()} />, ["/documents/$documentId"]);
  const link = await screen.findByRole("link", { name: "Lease" });
  expect(link.getAttribute("href")).toBe("/documents/d1");
  const [head, ...rows] = screen.getAllByRole("row").map((row) => row.textContent);
  expect(head).toBe("WhatWhoWhen");
  expect(rows[0]).toMatch(/^Details updated LeaseTitle: Draft → LeaseAda/);
  expect(rows[1]).toMatch(/^Signed inAda/);
  expect(rows[2]).toMatch(/^Sign-in refused ada@example\.orgNot signed in/);
  expect(rows[3]).toMatch(/^Collection created ContractsOpen to everyoneLectern/);
  expect(rows[4]).toMatch(/^Embedding model changed Generation\s2user:gone/);
  expect(rows[5]).toMatch(/^Permanently deletedAda/);
  expect(rows[6]).toContain("Groups: (Name: staff, Role: Editor)");
  expect(rows[7]).toMatch(/^Several documents moved to the trashDocuments changed: 2Ada/);
  expect(rows[8]).toMatch(/ben@example\.orgPasswordAda/);
  expect(screen.getAllByRole("link")).toHaveLength(1);
  const audit = asked.find(({ path }) => path.endsWith("/audit"));
  expect(Object.fromEntries(audit?.query ?? [])).toMatchObject({
    ...{ actor: "user:u1", target: "document:d1", limit: "50" },
    since: new Date(2026, 10, 1).toISOString(),
  });
});

it("has words for roles, moments and the key of the environment in the language of the page", async () => {
  const key = { id: "k1", name: "mcp (from the environment)", prefix: "environment" };
  const byKey = { actor: "key:k1", actor_name: key.name, target_name: null };
  const events = [
    { id: "1", at, ...byKey, action: "document.search", target: "library", details: { query: "fees" } },
    { id: "2", at, ...byKey, action: "user.create", target: "user:u2", details: { role: "reader" } },
    { id: "3", at, ...byKey, action: "key.create", target: "key:k2", details: { expires_at: "2027-02-27T09:30:00Z" } },
  ];
  answerRequests({
    ...NOBODY,
    "GET /api/v1/system/audit": () => ({ items: events, total: events.length, next_cursor: null }),
    "GET /api/v1/keys": () => ({ items: [key], total: 1, next_cursor: null }),
  });
  await renderWithLinks(<ActivityTable filter={{}} onClear={vi.fn()} />, ["/documents/$documentId"]);
  await waitFor(() => expect(screen.getAllByText("mcp (from the environment)")).toHaveLength(events.length));
  await act(() => i18n.changeLanguage("it"));
  await waitFor(() => expect(screen.getAllByText("mcp (dalle variabili d'ambiente)")).toHaveLength(events.length));
  screen.getByText("Ruolo: Lettore");
  screen.getByText(/^Scadenza: 27 feb 2027, /);
});

it("offers to clear filters that nothing matches", async () => {
  answerRequests({ ...NOBODY, "GET /api/v1/system/audit": () => ({ items: [], total: 0, next_cursor: null }) });
  const onClear = vi.fn();
  await renderWithLinks(<ActivityTable filter={{ who: "user:u1" }} onClear={onClear} />, ["/documents/$documentId"]);
  await userEvent.click(await screen.findByRole("button", { name: "Clear filters" }));
  expect(onClear).toHaveBeenCalledOnce();
});
