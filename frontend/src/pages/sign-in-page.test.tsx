import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { SignInPage } from "./sign-in-page";

it.each([true, false])("names the first password only if passwords work: %s", async (has_passwords) => {
  answerRequests({ "GET /api/v1/auth/methods": () => ({ has_passwords, single_sign_on: "Example" }) });
  renderInApp(<SignInPage />);
  await screen.findByRole("link", { name: "Sign in with Example" });
  await waitFor(() => expect(screen.queryAllByText(/First time here/)).toHaveLength(has_passwords ? 1 : 0));
});
