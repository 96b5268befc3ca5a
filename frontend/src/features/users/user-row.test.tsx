import { ModalsProvider } from "@mantine/modals";
import { Notifications } from "@mantine/notifications";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import type { User } from "./use-users";
import { UserForm } from "./user-form";
import { UserRow } from "./user-row";

const USER: User = {
  id: "00000000-0000-4000-8000-00000000000a",
  email: "ada@example.org",
  name: "Ada",
  role: "reader",
  is_active: true,
  has_password: true,
  has_second_factor: false,
  created_at: "2026-01-01T00:00:00Z",
  last_sign_in_at: null,
};

const row = (isSelf: boolean) =>
  renderInApp(
    <ModalsProvider>
      <UserRow user={USER} isSelf={isSelf} />
    </ModalsProvider>,
  );

describe("a person in the list", () => {
  it("is deactivated only after the question was answered", async () => {
    const asked = answerRequests({
      [`PATCH /api/v1/users/${USER.id}`]: () => ({ ...USER, is_active: false }),
    });
    row(false);
    await userEvent.click(screen.getByRole("button", { name: "Deactivate" }));
    const dialog = await screen.findByRole("dialog");
    expect(asked).toEqual([]);
    const confirm = [...dialog.querySelectorAll("button")].find((one) => one.textContent === "Deactivate");
    await userEvent.click(confirm as HTMLElement);
    await waitFor(() => expect(asked.map((one) => one.body)).toEqual([{ is_active: false }]));
  });

  it("without a name is called by the e-mail address", async () => {
    renderInApp(
      <ModalsProvider>
        <UserRow user={{ ...USER, name: "" }} isSelf={false} />
      </ModalsProvider>,
    );
    await userEvent.click(screen.getByRole("button", { name: "Deactivate" }));
    await screen.findByRole("dialog", { name: "Deactivate ada@example.org?" });
  });

  it("who lost the phone gets the second factor turned off, after a question", async () => {
    const user = { ...USER, has_second_factor: true };
    const asked = answerRequests({ [`DELETE /api/v1/users/${USER.id}/second-factor`]: () => null });
    renderInApp(
      <ModalsProvider>
        <UserRow user={user} isSelf={false} />
      </ModalsProvider>,
    );
    await userEvent.click(screen.getByRole("button", { name: "Turn off two-factor" }));
    const dialog = await screen.findByRole("dialog");
    expect(asked).toEqual([]);
    await userEvent.click(within(dialog).getByRole("button", { name: "Turn off two-factor" }));
    await waitFor(() => expect(asked.map(({ method }) => method)).toEqual(["DELETE"]));
  });

  it("who leaves gives documents and tags to somebody else, and both are counted", async () => {
    const path = `/api/v1/users/${USER.id}/transfer`;
    const asked = answerRequests({ [`POST ${path}`]: () => ({ documents: 3, tags: 1 }) });
    renderInApp(
      <ModalsProvider>
        <Notifications />
        <UserRow user={USER} isSelf={false} />
      </ModalsProvider>,
    );
    await userEvent.click(screen.getByRole("button", { name: "Transfer ownership" }));
    const dialog = await screen.findByRole("dialog");
    await userEvent.type(within(dialog).getByLabelText(/New owner/), "bob@example.org");
    await userEvent.click(within(dialog).getByRole("button", { name: "Transfer ownership" }));
    expect(await screen.findByText("Given to bob@example.org: 3 documents, 1 tag.")).toBeVisible();
    expect(asked.find((one) => one.path === path)?.body).toEqual({ email: "bob@example.org" });
  });

  it("cannot lock themselves out", () => {
    answerRequests({});
    row(true);
    expect(screen.queryByRole("button", { name: "Deactivate" })).toBeNull();
    expect(screen.queryByRole("combobox", { name: "Role of Ada" })).toBeNull();
    expect(screen.getByText("Reader")).toBeVisible();
  });
});

describe("the form for a new person", () => {
  it("says what is wrong before anything is sent, then sends what was typed", async () => {
    const asked = answerRequests({ "POST /api/v1/users": () => USER });
    let isDone = false;
    renderInApp(
      <UserForm
        onDone={() => {
          isDone = true;
        }}
      />,
    );
    fireEvent.change(screen.getByLabelText(/E-mail/), { target: { value: "ada@example.org" } });
    fireEvent.change(screen.getByLabelText(/Temporary password/), { target: { value: "short" } });
    await userEvent.click(screen.getByRole("button", { name: "Create" }));
    expect(await screen.findByText("Use at least 12 characters.")).toBeVisible();
    expect(asked).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Generate" }));
    await userEvent.click(screen.getByRole("button", { name: "Create" }));
    await waitFor(() => expect(isDone).toBe(true));
    expect(asked[0]?.body).toMatchObject({ email: "ada@example.org", role: "editor" });
  });
});
