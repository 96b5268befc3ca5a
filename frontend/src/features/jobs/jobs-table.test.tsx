import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { i18n } from "@/lib/i18n/i18n";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { JobsTable } from "./jobs-table";
import type { Job } from "./use-jobs";

const JOB = {
  ...{ id: "j1", document_id: "d1", filename: "torn.pdf", kind: "ingest", state: "failed", stage: "extract" },
  ...{ attempts: 1, max_attempts: 3, progress: 0, created_at: "2026-11-22T10:00:00Z" },
  ...{ started_at: null, finished_at: null, error_code: "corrupt" },
  ...{
    error_message: "The file is damaged and could not be read.",
    error_hint: "Open it.",
    error_details: null,
  },
} as unknown as Job;

async function open(job: Job, { canWrite = true } = {}) {
  const asked = answerRequests({
    "GET /api/v1/jobs": () => ({ items: [job], total: 1, next_cursor: null }),
    "GET /api/v1/auth/me": () => ({ id: "u1", can_write: canWrite }),
    "POST /api/v1/documents/d1/ingest": () => ({}),
  });
  const { client } = await renderWithLinks(<JobsTable group="needs_attention" />, ["/documents/$documentId"]);
  await screen.findByRole("link", { name: job.filename });
  await waitFor(() => expect(client.isFetching()).toBe(0)); // what may be done is known
  return asked;
}

it("tells why a job failed in the language of the person", async () => {
  await open(JOB);
  screen.getByText("The file is damaged");
  await act(() => i18n.changeLanguage("it"));
  screen.getByText("Il file è danneggiato");
  expect(screen.queryByText(/could not be read/)).toBeNull();
});

it("tells a reason that is new to this page in the API's own words", async () => {
  await open({ ...JOB, error_code: "brand_new", error_message: "Something new.", error_hint: "Do this." });
  screen.getByText("Something new. Do this.");
});

it("says which limit was passed and by how much", async () => {
  await open({ ...JOB, error_code: "too_large", error_details: { page_count: 2412, max_pages: 2000 } });
  expect(await screen.findByText(/2,?\.?412 .*2,?\.?000/)).toBeInTheDocument();
});

it("asks for the password of a protected file, without which it would only fail again", async () => {
  const asked = await open({ ...JOB, error_code: "encrypted" });
  await userEvent.click(await screen.findByRole("button", { name: "Unlock" }));
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  await userEvent.type(await screen.findByLabelText("Password for torn.pdf"), "open sesame{Enter}");
  await waitFor(() =>
    expect(asked.at(-1)).toMatchObject({
      method: "POST",
      path: "/api/v1/documents/d1/ingest",
      body: { password: "open sesame" },
    }),
  );
});

it.each([
  ["corrupt", 0],
  ["empty", 0],
  ["timed_out", 1],
  [null, 1],
])("offers to try again only where the documents do: %s", async (error_code, count) => {
  await open({ ...JOB, error_code });
  expect(screen.queryAllByRole("button", { name: "Try again" })).toHaveLength(count);
});

it("names the stage of what is not done yet only", async () => {
  await open({ ...JOB, state: "succeeded", error_code: null });
  expect(screen.queryByText(/extracting text/)).toBeNull();
});

it("offers a reader nothing that only writers may do", async () => {
  await open({ ...JOB, error_code: "encrypted" }, { canWrite: false });
  expect(screen.queryByRole("button", { name: "Unlock" })).toBeNull();
});
