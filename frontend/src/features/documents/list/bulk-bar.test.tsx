import { Notifications, notifications } from "@mantine/notifications";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { documentOf } from "@/features/events/test-samples";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { BulkBar } from "./bulk-bar";
import { useSelection } from "./use-selection";

const BULK = "/api/v1/documents/bulk";
const shown = [documentOf({ id: "d1", tags: ["hr"] }), documentOf({ id: "d2", tags: ["hr", "2024"] })];

afterEach(() => {
  notifications.clean();
  vi.unstubAllGlobals();
});

function Screen() {
  const selection = useSelection("key");
  return (
    <>
      <Notifications />
      <button type="button" onClick={() => selection.set(shown)}>
        select the page
      </button>
      <BulkBar selection={selection} search={{ q: "report", tags: ["hr"] }} total={7_312} documents={shown} />
    </>
  );
}

async function start(answer: object, role = "editor") {
  const asked = answerRequests({
    [`POST ${BULK}`]: () => ({ matched: 2, changed: 2, skipped: 0, receipt: null, ids: null, ...answer }),
    "GET /api/v1/auth/me": () => ({ role }),
    "GET /api/v1/tags": () => ({ items: ["2024", "hr", "legal"].map((name) => ({ name })), next_cursor: null }),
  });
  await renderWithLinks(<Screen />, ["/ask"]);
  await userEvent.click(screen.getByRole("button", { name: "select the page" }));
  return () => asked.filter((one) => one.path === BULK).map((one) => one.body);
}

describe("the bar of what is selected", () => {
  it("is not there while nothing is", async () => {
    answerRequests({});
    await renderWithLinks(<Screen />, ["/ask"]);
    expect(screen.queryByRole("region", { name: "Selected documents" })).toBeNull();
  });

  it("changes those that were picked", async () => {
    const sent = await start({ action: "reingest" });
    await userEvent.click(screen.getByRole("button", { name: "Reprocess" }));
    await waitFor(() => expect(sent()).toEqual([{ action: "reingest", ids: ["d1", "d2"] }]));
    expect(await screen.findByText("2 documents queued for reprocessing.")).toBeInTheDocument();
  });

  it("says so if nothing was changed", async () => {
    await start({ action: "reingest", changed: 0, skipped: 2 });
    await userEvent.click(screen.getByRole("button", { name: "Reprocess" }));
    expect(await screen.findByText("No document was changed.")).toBeInTheDocument();
  });

  it("changes the owner for administrators only", async () => {
    const sent = await start({ action: "change_owner" }, "admin");
    await userEvent.click(await screen.findByRole("button", { name: "Change owner" }));
    const form = within(await screen.findByRole("dialog"));
    await userEvent.type(form.getByLabelText(/New owner/), "bob@example.org");
    await userEvent.click(form.getByRole("button", { name: "Change owner" }));
    const wanted = { action: "change_owner", owner: "bob@example.org", ids: ["d1", "d2"] };
    await waitFor(() => expect(sent()).toEqual([wanted]));
    expect(await screen.findByText("Owner of 2 documents changed.")).toBeInTheDocument();
  });

  it("offers an editor no change of the owner", async () => {
    await start({}, "editor");
    expect(screen.getByRole("button", { name: "Move" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Change owner" })).toBeNull();
  });

  it("offers to remove only tags that a selected document has", async () => {
    await start({});
    await userEvent.click(screen.getByRole("button", { name: "Remove tags" }));
    const names = () => screen.queryAllByRole("option", { hidden: true }).map((option) => option.getAttribute("value"));
    await waitFor(() => expect(names()).toEqual(["2024", "hr"]));
  });

  it("changes all that match, on every page, by the filter and not by their ids", async () => {
    const sent = await start({ action: "reingest", changed: 7_312 });
    await userEvent.click(screen.getByRole("button", { name: "Select all 7,312 matches" }));
    await userEvent.click(screen.getByRole("button", { name: "Reprocess" }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({
      action: "reingest",
      filter: { q: "report", tags: ["hr"], is_deleted: false },
    });
    expect(sent()[0]).not.toHaveProperty("ids");
  });

  it("moves to the trash without asking, and takes it back", async () => {
    const sent = await start({ action: "delete", ids: ["d1", "d2"] });
    await userEvent.click(screen.getByRole("button", { name: "Delete" }));
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent()[1]).toEqual({ action: "restore", ids: ["d1", "d2"] });
  });
});
