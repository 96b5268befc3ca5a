import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { act, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { JobsPage } from "./jobs-page";

const job = (state: string, filename: string) => ({
  ...{ id: filename, document_id: "d1", filename, kind: "ingest", state, stage: null, attempts: 1 },
  ...{ max_attempts: 3, progress: 0, created_at: "2026-11-22T10:00:00Z", started_at: null },
  ...{ finished_at: null, error_code: null, error_message: null, error_hint: null, error_details: null },
});

/** The page at an address. `needy` are the files that need attention, whenever they are asked for. */
async function open(address: string, needy: () => string[]) {
  const asked = answerRequests({
    "GET /api/v1/jobs": ({ query }) => {
      const items = query.get("state") === "needs_attention" ? needy().map((name) => job("failed", name)) : [];
      return { items, total: items.length, next_cursor: null };
    },
    "GET /api/v1/auth/me": () => ({ id: "u1", can_write: true }),
    "POST /api/v1/jobs/torn.pdf/retry": () => ({}),
  });
  const root = createRootRoute({ component: Outlet });
  const page = createRoute({
    getParentRoute: () => root,
    path: "/jobs",
    component: JobsPage,
    validateSearch: (raw: Record<string, unknown>) => raw,
  });
  const document = createRoute({ getParentRoute: () => root, path: "/documents/$documentId" });
  const history = createMemoryHistory({ initialEntries: ["/elsewhere", address] });
  const router = createRouter({ routeTree: root.addChildren([page, document]), history });
  await router.load();
  renderInApp(<RouterProvider router={router as never} />);
  return { asked, history };
}

const tab = (name: string) => screen.getByRole("tab", { name: new RegExp(`^${name}`) });

it("opens on what needs attention when something does, and says so in the address", async () => {
  const { history } = await open("/jobs", () => ["torn.pdf"]);
  expect(tab("In progress")).toHaveAttribute("aria-selected", "false");
  await screen.findByText("torn.pdf");
  expect(tab("Needs attention")).toHaveAttribute("aria-selected", "true");
  await waitFor(() => expect(history.location.search).toBe("?state=needs_attention"));
  expect(history.length).toBe(2); // nothing to go back through
});

it("opens on what is in progress when nothing needs attention, never showing the other one", async () => {
  const { history } = await open("/jobs", () => []);
  expect(screen.queryByRole("tab", { selected: true })).toBeNull();
  await waitFor(() => expect(tab("In progress")).toHaveAttribute("aria-selected", "true"));
  await waitFor(() => expect(history.location.search).toBe("?state=in_progress"));
});

it("opens on what the address names", async () => {
  const { asked, history } = await open("/jobs?state=done", () => ["torn.pdf"]);
  expect(tab("Done")).toHaveAttribute("aria-selected", "true");
  await waitFor(() => expect(asked.length).toBeGreaterThan(0));
  const listed = asked.filter(({ query }) => query.get("limit") !== "1");
  expect(listed.map(({ query }) => query.get("state"))).toEqual(["done"]);
  expect(history.location.search).toBe("?state=done");
});

it("stays where it is when the last of what needed attention is tried again", async () => {
  let needy = ["torn.pdf"];
  await open("/jobs", () => needy);
  const again = await screen.findByRole("button", { name: "Try again" });
  needy = [];
  act(() => again.click());
  await screen.findByText("Nothing needs attention");
  expect(tab("Needs attention")).toHaveAttribute("aria-selected", "true");
});
