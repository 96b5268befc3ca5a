import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderInApp } from "@/test-rendering";
import { ViewerFrame } from "./viewer-frame";

const open = (pageCount: number | null) =>
  renderInApp(
    <ViewerFrame page={1} pageCount={pageCount} onPage={() => undefined} zoom={null} downloadUrl="/a.pdf">
      <p>Locked</p>
    </ViewerFrame>,
  );

it("counts the pages of a file", () => {
  open(3);
  expect(screen.getByRole("textbox", { name: "Page" })).toHaveValue("1");
  expect(screen.getByText("of 3")).toBeVisible();
});

it("counts no pages of a file that is locked or damaged", () => {
  open(null);
  expect(screen.queryByRole("textbox", { name: "Page" })).toBeNull();
  expect(screen.queryByText(/^of/)).toBeNull();
  expect(screen.getByRole("link", { name: "Download" })).toBeVisible();
});
