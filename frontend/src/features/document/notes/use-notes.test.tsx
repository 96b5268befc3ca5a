import { act, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { useNoteMutations, useNotes } from "./use-notes";

const NOTES = "/api/v1/documents/d1/notes";

function Notes() {
  const { create } = useNoteMutations();
  const add = () => create.mutate({ params: { path: { document_id: "d1" } }, body: {} as never });
  return (
    <button type="button" onClick={add}>
      {useNotes("d1").length}
    </button>
  );
}

it("shows a note that was made while the list loaded", async () => {
  const lists: ((items: unknown[]) => void)[] = [];
  const answer = () => new Promise((resolve) => lists.push((items) => resolve(Response.json({ items }))));
  const asked = answerRequests({ [`GET ${NOTES}`]: answer, [`POST ${NOTES}`]: () => ({}) });
  renderInApp(<Notes />);
  await waitFor(() => expect(lists).toHaveLength(1));
  act(() => screen.getByRole("button").click());
  await waitFor(() => expect(asked.map(({ method }) => method)).toEqual(["GET", "POST"]));
  lists[0]?.([]);
  await waitFor(() => expect(lists).toHaveLength(2));
  lists[1]?.([{ id: "n1" }]);
  await screen.findByText("1");
});
