import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { AuditLog } from "./audit-log";

const at = "2026-11-22T10:00:00Z";
const EVENTS = [
  { id: "1", at, actor: "system", action: "document.version", target: "document:d1", details: {} },
  { id: "2", at, actor: "user:u1", action: "session.create", target: "session:s1", details: {} },
  {
    id: "3",
    at,
    actor: "user:gone",
    action: "session.refused",
    target: "email:ada@example.org",
    details: {},
  },
  {
    id: "4",
    at,
    actor: "system",
    action: "collection.create",
    target: "collection:c1",
    details: { name: "Contracts", description: "", is_open: true },
  },
  { id: "5", at, actor: "user:u1", action: "embeddings.use", target: "generation:2", details: { before: 1 } },
];

it("says who did what in words, with a way to the document", async () => {
  answerRequests({
    "GET /api/v1/system/audit": () => ({ items: EVENTS, total: 5, next_cursor: null }),
    "GET /api/v1/users": () => ({ items: [{ id: "u1", name: "Ada" }], total: 1, next_cursor: null }),
    "GET /api/v1/keys": () => ({ items: [], total: 0, next_cursor: null }),
  });
  await renderWithLinks(<AuditLog />, ["/documents/$documentId"]);
  const link = await screen.findByRole("link", { name: "Open document" });
  expect(link.getAttribute("href")).toBe("/documents/d1");
  await screen.findByRole("row", { name: /^Signed in ?Ada/ });
  const [head, ...rows] = screen.getAllByRole("row").map((row) => row.textContent);
  expect(head).toBe("WhatWhoWhen");
  expect(rows[0]).toMatch(/^New versionOpen documentLectern/);
  expect(rows[2]).toMatch(/^Sign-in refusedada@example\.org/);
  expect(rows[3]).toMatch(/^Collection createdContractsLectern/);
  expect(rows[4]).toMatch(/^Embedding model changedGeneration\s2Ada/);
});
