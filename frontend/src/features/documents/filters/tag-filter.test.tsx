import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { DocumentsSearch } from "@/features/documents/documents-search";
import { answerRequests, renderInApp } from "@/test-rendering";
import { TagFilter } from "./tag-filter";

const tag = (name: string, document_count: number) => ({
  id: name,
  name,
  document_count,
  color: "red",
  description: "",
  created_at: "2026-11-20T10:00:00Z",
});

afterEach(() => vi.unstubAllGlobals());

async function open(search: DocumentsSearch = {}) {
  const items = [tag("hr", 3), tag("contracts", 12), tag("old", 0)];
  answerRequests({ "GET /api/v1/tags": () => ({ items, total: items.length, next_cursor: null }) });
  const onChange = vi.fn();
  renderInApp(<TagFilter search={search} onChange={onChange} />);
  await userEvent.click(screen.getByRole("button", { name: /Tags/ }));
  await screen.findByRole("group", { name: "contracts" });
  return onChange;
}

const choice = (name: string, state: string) =>
  within(screen.getByRole("group", { name })).getByRole("button", { name: state });

describe("the filter of tags", () => {
  it("lists tags with counts, those that most documents carry first", async () => {
    await open();
    expect(screen.getAllByRole("group").map((group) => group.getAttribute("aria-label"))).toEqual([
      "contracts",
      "hr",
      "old",
    ]);
    expect(screen.getByText("12")).toBeInTheDocument();
  });

  it("asks for any, for all, for none", async () => {
    const onChange = await open({ tags: ["hr"] });
    expect(choice("hr", "any")).toHaveAttribute("aria-pressed", "true");
    await userEvent.click(choice("contracts", "not"));
    expect(onChange).toHaveBeenLastCalledWith(expect.objectContaining({ tags: ["hr"], noTags: ["contracts"] }));
    await userEvent.click(choice("hr", "all"));
    expect(onChange).toHaveBeenLastCalledWith(expect.objectContaining({ tags: [], allTags: ["hr"] }));
    await userEvent.click(choice("hr", "any"));
    expect(onChange).toHaveBeenLastCalledWith(expect.objectContaining({ tags: [], allTags: [], noTags: [] }));
  });

  it("asks for documents without any tag instead of those with some", async () => {
    const onChange = await open({ tags: ["hr"] });
    await userEvent.click(screen.getByRole("checkbox", { name: "Untagged only" }));
    expect(onChange).toHaveBeenLastCalledWith(expect.objectContaining({ untagged: true, tags: undefined }));
  });

  it("finds a tag by part of its name", async () => {
    await open();
    await userEvent.type(screen.getByRole("textbox", { name: "Find a tag" }), "contr");
    await waitFor(() => expect(screen.queryByRole("group", { name: "hr" })).toBeNull());
    expect(screen.getByRole("group", { name: "contracts" })).toBeInTheDocument();
  });
});
