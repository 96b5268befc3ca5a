import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
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
];

it("says who did what in words, what changed, and leads to the document", async () => {
  const asked = answerRequests({
    "GET /api/v1/system/audit": () => ({ items: EVENTS, total: EVENTS.length, next_cursor: null }),
  });
  const filter = { who: "user:u1", document: "d1", from: "2026-11-01" };
  await renderWithLinks(<ActivityTable filter={filter} />, ["/documents/$documentId"]);
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
  expect(rows[6]).toContain("Groups: (Name: staff, Role: editor)");
  expect(screen.getAllByRole("link")).toHaveLength(1);
  expect(Object.fromEntries(asked[0]?.query ?? [])).toMatchObject({
    ...{ actor: "user:u1", target: "document:d1", limit: "50" },
    since: new Date(2026, 10, 1).toISOString(),
  });
});
