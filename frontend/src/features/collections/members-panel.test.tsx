import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { MembersPanel } from "./members-panel";

const people = [
  { id: "u1", name: "Rita", email: "rita@example.org", role: "reader" },
  { id: "u2", name: "Ed", email: "ed@example.org", role: "editor" },
];

it("says that a reader cannot edit instead of offering it", async () => {
  answerRequests({
    "GET /api/v1/users": () => ({ items: people, total: 2, next_cursor: null }),
    "GET /api/v1/collections/c1/members": () =>
      people.map(({ id, ...person }) => ({ ...person, user_id: id, can_write: true, is_from_group: false })),
  });
  renderInApp(<MembersPanel collection={{ id: "c1", name: "Contracts" } as never} />);
  await screen.findByText("Reader: can't edit");
  expect(screen.getAllByRole("switch").map((one) => one.getAttribute("aria-label"))).toEqual(["Ed can edit documents"]);
});
