import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { SignInOptions } from "./sign-in-options";

afterEach(() => {
  window.history.replaceState(null, "", "/");
  sessionStorage.clear();
});

it("leads over the identity provider back to the page that was wanted", async () => {
  answerRequests({ "GET /api/v1/auth/methods": () => ({ has_passwords: true, single_sign_on: "Example" }) });
  window.history.replaceState(null, "", "/documents?q=a%20b");
  renderInApp(<SignInOptions />);
  const link = await screen.findByRole("link", { name: "Sign in with Example" });
  expect(link).toHaveAttribute("href", "/api/v1/auth/single-sign-on?next=%2Fdocuments%3Fq%3Da%2520b");
  expect(screen.getByLabelText(/Password/, { selector: "input" })).toBeInTheDocument();
});

it("keeps the page that was wanted after a single sign-on that failed", async () => {
  answerRequests({ "GET /api/v1/auth/methods": () => ({ has_passwords: true, single_sign_on: "Example" }) });
  window.history.replaceState(null, "", "/tags?q=a");
  const { unmount } = renderInApp(<SignInOptions />);
  const link = await screen.findByRole("link", { name: "Sign in with Example" });
  fireEvent.click(link);
  unmount();
  window.history.replaceState(null, "", "/sign-in?problem=sign_in_not_completed");
  renderInApp(<SignInOptions />);
  const again = await screen.findByRole("link", { name: "Sign in with Example" });
  expect(again).toHaveAttribute("href", "/api/v1/auth/single-sign-on?next=%2Ftags%3Fq%3Da");
});

it("asks for no password where passwords are switched off, and says what went wrong", async () => {
  answerRequests({ "GET /api/v1/auth/methods": () => ({ has_passwords: false, single_sign_on: "Example" }) });
  window.history.replaceState(null, "", "/sign-in?problem=no_group_for_sign_in");
  renderInApp(<SignInOptions />);
  expect(await screen.findByRole("alert")).toHaveTextContent("None of your groups");
  await waitFor(() => expect(screen.queryByLabelText(/Password/, { selector: "input" })).not.toBeInTheDocument());
});

it("shows no text of the address", () => {
  answerRequests({ "GET /api/v1/auth/methods": () => ({ has_passwords: true, single_sign_on: null }) });
  window.history.replaceState(null, "", "/sign-in?problem=call%20this%20number");
  renderInApp(<SignInOptions />);
  expect(screen.getByRole("alert")).not.toHaveTextContent("number");
});
