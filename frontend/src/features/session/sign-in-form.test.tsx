import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderInApp } from "@/test-rendering";
import { SignInForm } from "./sign-in-form";
import { useMe } from "./use-session";

it("asks for a code after the password where a second factor is on", async () => {
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    bodies.push(await request.clone().json());
    if (request.url.endsWith("/sign-in/second-factor")) return Response.json({ user: {}, expires_in_seconds: 1 });
    const problem = { status: 401, code: "second_factor_required", detail: "A code is needed.", challenge_token: "c1" };
    return Response.json(problem, { status: 401 });
  });
  const onDone = vi.fn();
  renderInApp(<SignInForm email="ada@example.org" onDone={onDone} />);
  await userEvent.type(screen.getByLabelText(/Password/, { selector: "input" }), "my password{Enter}");
  const code = await screen.findByLabelText(/Code/);
  await userEvent.click(screen.getByRole("button", { name: "Back to the password" }));
  await userEvent.type(screen.getByLabelText(/Password/, { selector: "input" }), "{Enter}");
  expect(code).not.toBeInTheDocument();

  await userEvent.type(await screen.findByLabelText(/Code/), "123 456{Enter}");
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(bodies.at(-1)).toEqual({ challenge_token: "c1", code: "123 456", use_cookies: true });
});

it("says that the browser did not keep the session where the next request is a 401", async () => {
  vi.stubGlobal("fetch", async (request: Request) =>
    request.url.endsWith("/sign-in")
      ? Response.json({ user: {}, expires_in_seconds: 1 })
      : Response.json({ status: 401, code: "unauthorized", detail: "Sign in." }, { status: 401 }),
  );
  function Page() {
    useMe();
    return <SignInForm email="ada@example.org" />;
  }
  renderInApp(<Page />);
  await userEvent.type(screen.getByLabelText(/Password/, { selector: "input" }), "my password{Enter}");
  expect(await screen.findByText(/The browser did not keep your session/)).toBeInTheDocument();
});

it("takes the focus for the e-mail, on a page without a focus trap", () => {
  renderInApp(<SignInForm />);
  expect(screen.getByLabelText(/E-mail/)).toHaveFocus();
});
