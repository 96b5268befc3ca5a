import { MantineProvider, Menu } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { theme } from "./theme";

test("a key that comes before the focus is in the menu does not close it, a click beside it does", () => {
  render(
    <MantineProvider env="test" theme={theme}>
      <Menu withinPortal={false}>
        <Menu.Target>
          <button type="button">open</button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item>first</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </MantineProvider>,
  );
  fireEvent.click(screen.getByRole("button"));
  fireEvent.keyDown(document.body, { key: "ArrowDown" });
  expect(screen.queryByRole("menu")).toBeTruthy();
  fireEvent.mouseDown(document.body);
  expect(screen.queryByRole("menu")).toBeNull();
});
