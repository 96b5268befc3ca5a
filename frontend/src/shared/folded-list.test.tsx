import { fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { renderWithLinks } from "@/test-rendering";
import { FoldedList } from "./folded-list";

afterEach(() => vi.restoreAllMocks());

async function show(count: number, { isPhone }: { isPhone: boolean }) {
  const queries = Object.getPrototypeOf(window.matchMedia("(max-width: 48em)")) as MediaQueryList;
  vi.spyOn(queries, "matches", "get").mockReturnValue(isPhone);
  const items = Array.from({ length: count }, (_, number) => <li key={number.toString()}>{number}</li>);
  await renderWithLinks(<FoldedList>{items}</FoldedList>, []);
  return () => screen.getAllByRole("listitem").length;
}

it("shows the first of many items on a phone, and all on request", async () => {
  const shown = await show(30, { isPhone: true });
  expect(shown()).toBe(6);
  fireEvent.click(screen.getByRole("button", { name: "Show all 30", expanded: false }));
  expect(shown()).toBe(30);
  fireEvent.click(screen.getByRole("button", { name: "Show fewer", expanded: true }));
  expect(shown()).toBe(6);
});

it.each([
  { count: 6, isPhone: true },
  { count: 30, isPhone: false },
])("shows all of $count items (phone: $isPhone)", async ({ count, isPhone }) => {
  const shown = await show(count, { isPhone });
  expect(shown()).toBe(count);
  expect(screen.queryByRole("button")).toBeNull();
});
