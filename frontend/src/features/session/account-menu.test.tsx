import { ModalsProvider } from "@mantine/modals";
import { Notifications } from "@mantine/notifications";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { askBefore } from "@/shared/dialog";
import { answerRequests, renderInApp } from "@/test-rendering";
import { AccountMenu } from "./account-menu";
import { type Me, useIsLeaving } from "./use-session";

it("opens the dialog for one's own password at its first field", async () => {
  answerRequests({});
  const me = { id: "u1", name: "Ada", role: "admin", has_password: true } as unknown as Me;
  renderInApp(
    <ModalsProvider>
      <AccountMenu me={me} />
    </ModalsProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "AD, Account" }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "Change password" }));
  await waitFor(() => expect(screen.getByLabelText("Current password")).toHaveFocus());
});

it("offers no change of a password to an account of single sign-on", async () => {
  const me = { id: "u1", name: "Ada", role: "admin", has_password: false } as unknown as Me;
  renderInApp(<AccountMenu me={me} />);
  fireEvent.click(screen.getByRole("button", { name: "AD, Account" }));
  expect(await screen.findByRole("menuitem", { name: "Sign out" })).toBeVisible();
  expect(screen.queryByRole("menuitem", { name: "Change password" })).toBeNull();
});

it("says why signing out failed, and stays signed in", async () => {
  const detail = "The database is being upgraded.";
  const body = { status: 503, code: "unavailable", title: "", detail };
  answerRequests({ "POST /api/v1/auth/sign-out": () => Response.json(body, { status: 503 }) });
  const me = { id: "u1", name: "Ada", role: "admin" } as unknown as Me;
  renderInApp(
    <>
      <Notifications />
      <AccountMenu me={me} />
      <Leaving />
    </>,
  );
  fireEvent.click(screen.getByRole("button", { name: "AD, Account" }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "Sign out" }));
  expect(screen.getByText("leaving")).toBeVisible();
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent(detail));
  expect(screen.getByText("staying")).toBeVisible();
});

const Leaving = () => <p>{useIsLeaving() ? "leaving" : "staying"}</p>;

it.each([
  ["Ada Lovelace King", "AL"],
  ["bo", "BO"],
])("shows who is signed in: %s as %s", (name, initials) => {
  const me = { id: "u1", name, role: "admin" } as unknown as Me;
  renderInApp(<AccountMenu me={me} />);
  expect(screen.getByRole("button", { name: `${initials}, Account` })).toHaveTextContent(initials);
});

it("asks before what cannot be undone with the focus on the way out", async () => {
  renderInApp(<ModalsProvider>{null}</ModalsProvider>);
  askBefore({ title: "For ever?", text: "It is gone then.", action: "Delete", onConfirm: () => undefined });
  await waitFor(() => expect(screen.getByRole("button", { name: "Cancel" })).toHaveFocus());
});
