import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { answerRequests, renderWithLinks } from "@/test-rendering";

// The list is code of its own: each test begins where that has not been fetched.
beforeEach(() => vi.resetModules());

async function openWithoutList() {
  const { Palette } = await import("./palette");
  answerRequests({});
  const run = vi.fn();
  const close = vi.fn();
  const commands = [{ id: "a", group: "pages" as const, label: "Tags", icon: () => null, run }];
  await renderWithLinks(<Palette commands={commands} isOpen onClose={close} />, ["/documents"]);
  return { run, close, field: screen.getByRole("combobox", { expanded: false }) };
}

const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const enter = (field: HTMLElement) => fireEvent.keyDown(field, { key: "Enter" });

it("acts on Enter that was pressed before its list was there", async () => {
  const { run, close, field } = await openWithoutList();
  type(field, "ta");
  enter(field);
  expect(run).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(run).toHaveBeenCalledOnce());
  expect(close).toHaveBeenCalledOnce();
});

it("forgets that Enter when something else was typed after it", async () => {
  const { run, close, field } = await openWithoutList();
  type(field, "ta");
  enter(field);
  type(field, "tag");
  type(field, "ta");
  await screen.findByRole("option", { name: "Tags" });
  expect(run).not.toHaveBeenCalled();
  expect(close).not.toHaveBeenCalled();
});
