import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { answerRequests, renderInApp, renderWithLinks } from "@/test-rendering";
import type { Command } from "./commands";
import { Palette } from "./palette";

const DOCUMENT = {
  id: "d1",
  title: "Travel policy",
  filename: "travel.pdf",
  collection: { name: "Library" },
};
const TAG = { id: "t1", name: "travel", color: "blue", description: "", document_count: 3, created_at: "" };

async function open(commands: Command[] = []) {
  const asked = answerRequests({
    "GET /api/v1/documents": () => ({ items: [DOCUMENT], next_cursor: null, total: 1 }),
    "GET /api/v1/tags": () => ({ items: [TAG], next_cursor: null, total: 1 }),
  });
  const close = vi.fn();
  const root = createRootRoute({ component: () => <Palette commands={commands} isOpen onClose={close} /> });
  const paths = ["/documents", "/search", "/documents/$documentId"];
  const children = paths.map((path) => createRoute({ getParentRoute: () => root, path }));
  const router = createRouter({
    routeTree: root.addChildren(children),
    history: createMemoryHistory({ initialEntries: ["/documents"] }),
  });
  renderInApp(<RouterProvider router={router as never} />);
  const field = await screen.findByRole("combobox", { expanded: true });
  return { asked, close, field, router };
}

const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const chosen = () => screen.getByRole("option", { selected: true });

describe("the command palette", () => {
  it("has the focus in its field at once", async () => {
    answerRequests({});
    await renderWithLinks(<Palette commands={[]} isOpen onClose={() => {}} />, ["/documents"]);
    const field = screen.getByRole("combobox", { expanded: false });
    expect(field).toHaveFocus();
    type(field, "trav");
    expect(await screen.findByRole("option", { name: "Search documents for “trav”" })).toBeVisible();
    expect(field).toHaveValue("trav");
  });

  it("is used with the keyboard alone: type, arrows, Enter", async () => {
    const run = vi.fn();
    const command = (id: string, label: string, action: () => void = () => {}): Command => ({
      id,
      group: "pages",
      label,
      icon: () => null,
      run: action,
    });
    const { field, close } = await open([command("a", "Tags"), command("b", "Trash", run)]);
    type(field, "t");
    expect(chosen()).toHaveTextContent("Tags");
    fireEvent.keyDown(field, { key: "ArrowDown" });
    expect(chosen()).toHaveTextContent("Trash");
    expect(field).toHaveAttribute("aria-activedescendant", chosen().id);
    fireEvent.keyDown(field, { key: "Enter" });
    expect(run).toHaveBeenCalledOnce();
    expect(close).toHaveBeenCalledOnce();
  });

  it("finds tags and documents by name, and offers to search the text", async () => {
    const { asked, field, router } = await open();
    type(field, "travel");
    await waitFor(() => expect(asked.some((one) => one.query.get("q") === "travel")).toBe(true));
    expect(asked.find((one) => one.query.get("q") === "travel")?.query.get("sort")).toBe("name_match");
    expect(await screen.findByRole("option", { name: /Travel policy/ })).toBeVisible();
    expect(await screen.findByRole("option", { name: /3 documents/ })).toBeVisible();
    fireEvent.keyDown(field, { key: "End" });
    expect(chosen()).toHaveTextContent("Search documents for “travel”");
    fireEvent.keyDown(field, { key: "Enter" });
    await waitFor(() => expect(router.state.location.href).toContain("/search?q=travel"));
  });

  it("offers no document of the words before while others are on their way", async () => {
    const { field } = await open();
    await screen.findByRole("option", { name: /Travel policy/ });
    type(field, "zzz");
    expect(chosen()).toHaveTextContent("Search documents for “zzz”");
    type(field, "poli");
    expect(chosen()).toHaveTextContent("Travel policy");
  });

  it("goes round at its ends", async () => {
    const { field } = await open();
    await screen.findByRole("option", { name: /Travel policy/ });
    type(field, "zzz");
    fireEvent.keyDown(field, { key: "ArrowUp" });
    expect(chosen()).toHaveTextContent("Search documents");
  });
});
