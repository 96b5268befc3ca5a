import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { OwnPasswordForm } from "./own-password-form";

it("sends nothing before both passwords will do, and then both", async () => {
  const asked = answerRequests({ "POST /api/v1/auth/password": () => null });
  const onDone = vi.fn();
  renderInApp(<OwnPasswordForm onDone={onDone} />);
  fireEvent.change(screen.getByLabelText("Current password"), { target: { value: "old-one" } });
  fireEvent.change(screen.getByLabelText("New password"), { target: { value: "short" } });
  fireEvent.click(screen.getByRole("button", { name: "Change password" }));
  expect(asked).toHaveLength(0);
  await waitFor(() => expect(screen.getByLabelText("New password")).toHaveFocus());

  fireEvent.change(screen.getByLabelText("New password"), { target: { value: "a much longer one" } });
  fireEvent.click(screen.getByLabelText("Also revoke my API keys"));
  fireEvent.click(screen.getByRole("button", { name: "Change password" }));
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(asked.map(({ body }) => body)).toEqual([
    { current_password: "old-one", new_password: "a much longer one", revoke_keys: true },
  ]);
});
