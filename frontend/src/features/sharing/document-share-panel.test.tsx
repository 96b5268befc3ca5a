import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { DocumentSharePanel } from "./document-share-panel";

const granted = { id: "g1", email: "bo@example.org", granted_at: "2026-03-01T09:00:00Z" };

it("shows the person just added although an older answer arrives later", async () => {
  let grants: (typeof granted)[] = [];
  const state = () => ({ owner: null, collection: "Contracts", is_collection_open: true, tag_shares: [], grants });
  let held: Promise<void> | undefined;
  let release = () => {};
  const path = "/api/v1/documents/d1/grants";
  answerRequests({
    [`GET ${path}`]: async () => {
      const answer = state();
      await held;
      return answer;
    },
    [`PUT ${path}`]: () => {
      held = undefined;
      grants = [granted];
      return state();
    },
  });
  const { client } = renderInApp(<DocumentSharePanel document={{ id: "d1" } as never} />);
  await screen.findByText("Contracts");
  expect(screen.getByLabelText(/E-mail address/)).toHaveFocus();

  held = new Promise((resolve) => {
    release = resolve;
  });
  void client.invalidateQueries();
  fireEvent.change(screen.getByLabelText(/E-mail address/), { target: { value: granted.email } });
  fireEvent.click(screen.getByRole("button", { name: "Share" }));
  await screen.findByText(granted.email);
  release();
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(screen.getByText(granted.email)).toBeVisible();
});
