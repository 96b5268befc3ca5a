import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { HistoryList } from "./history-list";

it("names what an event changed in words", async () => {
  const event = {
    ...{
      id: "1",
      at: "2026-11-22T10:00:00Z",
      actor: "user:u1",
      action: "document.update_version",
      target: "document:d1",
    },
    details: { number: 3, filename: "lease.pdf", restored_from: 1 },
  };
  answerRequests({
    "GET /api/v1/auth/me": () => ({ kind: "user", id: "u1", role: "admin" }),
    "GET /api/v1/jobs": () => ({ items: [], total: 0, next_cursor: null }),
    "GET /api/v1/users": () => ({ items: [{ id: "u1", name: "Ada" }], total: 1, next_cursor: null }),
    "GET /api/v1/keys": () => ({ items: [], total: 0, next_cursor: null }),
    "GET /api/v1/system/audit": () => ({ items: [event], total: 1, next_cursor: null }),
  });
  renderInApp(<HistoryList document={{ id: "d1" } as never} />);
  expect(await screen.findByText("Version: 3 · File name: lease.pdf · Restored from version: 1")).toBeVisible();
});
