import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { documentOf } from "@/features/events/test-samples";
import { type Asked, answerRequests, renderInApp } from "@/test-rendering";
import { DocumentsPage } from "./documents-page";

const ME = { id: "u1", name: "Ada", role: "admin", can_write: true };

async function open(address: string, documents?: (asked: Asked) => object, collections?: Promise<object>) {
  const nothing = () => ({ items: [], total: 0, next_cursor: null });
  answerRequests({
    "GET /api/v1/auth/me": () => ME,
    "GET /api/v1/documents": documents ?? nothing,
    "GET /api/v1/collections": () => collections ?? nothing(),
    "GET /api/v1/tags": nothing,
  });
  const root = createRootRoute({ component: Outlet });
  const page = createRoute({
    getParentRoute: () => root,
    path: "/documents",
    component: DocumentsPage,
    validateSearch: (raw: Record<string, unknown>) => raw,
  });
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: root.addChildren([page]), history });
  await router.load();
  renderInApp(<RouterProvider router={router as never} />);
}

afterEach(() => vi.restoreAllMocks());

it("shows cards once it is known what they offer, for they would grow", async () => {
  const queries = Object.getPrototypeOf(window.matchMedia("(max-width: 48em)")) as MediaQueryList;
  vi.spyOn(queries, "matches", "get").mockReturnValue(true);
  let send: (collections: object) => void = () => undefined;
  const collections = new Promise<object>((resolve) => {
    send = resolve;
  });
  const answered = vi.fn(() => ({ items: [documentOf()], total: 1, next_cursor: null }));
  await open("/documents", answered, collections);
  await expect.poll(() => screen.queryByText("1", { selector: "h1 + *, h1 *" })).not.toBeNull();
  expect(screen.queryByRole("link", { name: /Annual report/ })).toBeNull();
  send({ items: [{ id: "c1", name: "Library", can_write: true }], total: 1, next_cursor: null });
  const card = (await screen.findByRole("link", { name: /Annual report/ })).closest("li") as HTMLElement;
  expect(within(card).getByRole("checkbox")).toBeVisible();
});

it("offers nothing that narrows an empty library", async () => {
  await open("/documents");
  expect(await screen.findByText("Welcome to Lectern")).toBeVisible();
  expect(screen.queryByLabelText("Title or filename")).toBeNull();
  expect(screen.queryByRole("button", { name: "Views" })).toBeNull();
  expect(screen.getAllByRole("button", { name: "Upload files" })).toHaveLength(1);
});

it("keeps the filters where they are what hides the documents", async () => {
  await open("/documents?q=contract");
  expect(await screen.findByLabelText("Title or filename")).toHaveValue("contract");
});

it("leads from a name that no document has to the search of the text", async () => {
  const documents = ({ query }: Asked) => ({ items: [], total: query.get("q") ? 0 : 3, next_cursor: null });
  await open("/documents?q=contract", documents);
  const link = await screen.findByRole("link", { name: "Search documents for “contract”" });
  expect(link).toHaveAttribute("href", "/search?q=contract");
  expect(screen.getByText(/Only titles and filenames were compared/)).toBeVisible();
  expect(screen.queryByText(/Remove a filter/)).toBeNull();
});

it("says plainly that the tag of a filter is gone, and clears the filter", async () => {
  const problem = { code: "unknown_tag", detail: "Unknown tag: 'old'.", hint: "There are: 'hr'.", unknown: ["old"] };
  await open("/documents?q=x", () => Response.json(problem, { status: 422 }));
  expect(await screen.findByRole("heading", { name: "There is no tag “old”" })).toBeVisible();
  expect(screen.queryByText(/There are/)).toBeNull();
  await userEvent.click(screen.getAllByRole("button", { name: "Clear filters" }).at(-1) as HTMLElement);
  await waitFor(() => expect(screen.getByLabelText("Title or filename")).toHaveValue(""));
});
