import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { i18n } from "@/lib/i18n/i18n";
import { renderInApp } from "@/test-rendering";
import { PasswordInput } from "./password-input";

afterEach(() => i18n.changeLanguage("en"));

it("shows the password by keyboard, and names the button in the language of the page", async () => {
  renderInApp(<PasswordInput label="Password" defaultValue="secret" />);
  const field = screen.getByLabelText("Password");
  await userEvent.tab();
  expect(field).toHaveFocus();
  await userEvent.tab();
  expect(screen.getByRole("button", { name: "Show password" })).toHaveFocus();
  await userEvent.keyboard(" ");
  expect(field).toHaveAttribute("type", "text");

  await act(() => i18n.changeLanguage("it"));
  expect(screen.getByRole("button", { name: "Mostra la password" })).toBePressed();
});
