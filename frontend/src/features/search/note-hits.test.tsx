import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { NoteHits } from "./note-hits";

it("says that notes could not be searched", async () => {
  answerRequests({}); // everything is answered with 404
  await renderWithLinks(<NoteHits query="lease" />, ["/documents/$documentId"]);
  expect(await screen.findByRole("alert")).toBeInTheDocument();
});

it("shows nothing without a note", async () => {
  const asked = answerRequests({ "GET /api/v1/notes": () => ({ items: [], total: 0 }) });
  await renderWithLinks(<NoteHits query="lease" />, ["/documents/$documentId"]);
  await expect.poll(() => asked.length).toBe(1);
  expect(screen.queryByRole("region")).toBeNull();
});
