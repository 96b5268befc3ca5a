import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { NoteHits } from "./note-hits";

it("says that notes could not be searched", async () => {
  answerRequests({}); // everything is answered with 404
  await renderWithLinks(<NoteHits query="lease" />, ["/documents/$documentId"]);
  expect(await screen.findByRole("alert")).toBeInTheDocument();
});

it("shows three notes, and the others when asked", async () => {
  const note = { document_id: "d", document: "lease.pdf", page_number: 1, char_start: 0, char_end: 9, is_mine: true };
  const asked = answerRequests({
    "GET /api/v1/notes": ({ query }) => ({
      items: Array.from({ length: Math.min(5, Number(query.get("limit"))) }, (_, id) => ({
        ...note,
        id,
        text: `Note ${id}`,
      })),
      total: 5,
    }),
  });
  await renderWithLinks(<NoteHits query="lease" />, ["/documents/$documentId"]);
  const more = await screen.findByRole("button", { name: "Show 2 more notes" });
  expect(screen.getAllByRole("link")).toHaveLength(3);
  await userEvent.click(more);
  expect(await screen.findByRole("link", { name: "Note 4" })).toBeInTheDocument();
  expect(asked.map(({ query }) => query.get("limit"))).toEqual(["3", "50"]);
  expect(screen.queryByRole("button")).toBeNull();
});

it("shows nothing without a note", async () => {
  const asked = answerRequests({ "GET /api/v1/notes": () => ({ items: [], total: 0 }) });
  await renderWithLinks(<NoteHits query="lease" />, ["/documents/$documentId"]);
  await expect.poll(() => asked.length).toBe(1);
  expect(screen.queryByRole("region")).toBeNull();
});
