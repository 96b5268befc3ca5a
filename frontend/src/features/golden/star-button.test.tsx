import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { StarButton } from "./star-button";
import type { GoldenQuery } from "./use-marks";

const PLACE = { query: " fees ", documentId: "d1", firstPage: 3, lastPage: 4 };
const MARK: GoldenQuery = {
  ...{ id: "g1", query: "fees", document_id: "d1", document: "tariff.pdf", page_number: 3 },
  ...{ created_by: "user:u1", created_at: "2026-11-22T10:00:00Z", last_rank: null, last_asked_at: null },
  is_chunk: true,
  chunk: { chunk_id: "c1", char_start: 0, char_end: 9 },
};

/** The marks as the API hands them out: those of the first page first. */
function open(pages: GoldenQuery[][]) {
  const asked = answerRequests({
    "GET /api/v1/evaluations/golden": ({ query }) => {
      const page = Number(query.get("cursor") ?? 0);
      return { items: pages[page], total: 2, next_cursor: pages[page + 1] ? String(page + 1) : null };
    },
    "POST /api/v1/evaluations/golden": () => MARK,
    "DELETE /api/v1/evaluations/golden/g1": () => null,
  });
  renderInApp(
    <>
      <StarButton {...PLACE} chunkId="c1" />
      <StarButton {...PLACE} chunkId="c2" />
    </>,
  );
  return asked;
}

const pressed = () => screen.getAllByRole("button").map((button) => button.getAttribute("aria-pressed"));

it("marks the passage it stands at, and no other of its page", async () => {
  open([[MARK]]);
  await waitFor(() => expect(pressed()).toEqual(["true", "false"]));
});

it("marks every passage of a page that was marked as a whole, and says so", async () => {
  open([[{ ...MARK, is_chunk: false, chunk: null, page_number: 4 }]]);
  await waitFor(() => expect(pressed()).toEqual(["true", "true"]));
  expect(screen.getAllByTitle("This whole page is marked as the right answer")).toHaveLength(2);
});

it("marks nothing when the document does not say the passage any more", async () => {
  const asked = open([[{ ...MARK, chunk: null }]]);
  await waitFor(() => expect(asked).toHaveLength(1));
  await waitFor(() => expect(pressed()).toEqual(["false", "false"]));
});

it("knows a mark that the list brings on its second page, asked for this query only", async () => {
  const asked = open([[{ ...MARK, id: "g0", document_id: "d2" }], [MARK]]);
  await waitFor(() => expect(pressed()).toEqual(["true", "false"]));
  expect(asked.map(({ query }) => query.get("query"))).toEqual(["fees", "fees"]);
});

it("names the passage when it is given", async () => {
  const asked = open([[]]);
  await waitFor(() => expect(asked).toHaveLength(1));
  await userEvent.click(screen.getAllByRole("button")[0] as HTMLElement);
  const sent = asked.find(({ method }) => method === "POST");
  expect(sent?.body).toEqual({ query: "fees", document: "d1", page_number: 3, chunk_id: "c1" });
});

it("is taken away by a second click", async () => {
  const asked = open([[MARK]]);
  await userEvent.click(await screen.findByRole("button", { pressed: true }));
  await waitFor(() => expect(asked.map(({ method }) => method)).toContain("DELETE"));
});
