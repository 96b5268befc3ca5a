import { Notifications } from "@mantine/notifications";
import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { newsOf } from "@/features/events/test-samples";
import { renderInApp } from "@/test-rendering";
import { PasswordButton } from "./password-button";
import { notePasswordNews } from "./tried-passwords";

const news = (given: Parameters<typeof newsOf>[0]) => act(() => notePasswordNews(newsOf(given)));
const WRONG = "Incorrect password for locked.pdf. Try again.";
const LOCKED = { document_id: "locked", filename: "locked.pdf", status: "failed", error_code: "encrypted" } as const;

it("says once that a password did not open the file, and only if one was sent", async () => {
  const sent: string[] = [];
  renderInApp(
    <>
      <Notifications />
      <PasswordButton documentId="locked" filename="locked.pdf" onSubmit={async (password) => sent.push(password)} />
    </>,
  );
  news(LOCKED);
  expect(screen.queryByText(WRONG)).toBeNull();

  await userEvent.click(screen.getByRole("button", { name: "Unlock" }));
  await userEvent.click(screen.getByRole("button", { name: "Unlock and process" }));
  expect(sent).toEqual([]);
  await userEvent.type(screen.getByLabelText("Password for locked.pdf"), "guess{Enter}");
  expect(sent).toEqual(["guess"]);
  news({ ...LOCKED, status: "processing" });
  expect(screen.queryByText(WRONG)).toBeNull();
  news(LOCKED);
  news(LOCKED);
  expect(screen.getAllByText(WRONG)).toHaveLength(1);
  expect(screen.queryByText("Something went wrong")).toBeNull();
});
