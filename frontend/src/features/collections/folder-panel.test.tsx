import { ModalsProvider } from "@mantine/modals";
import { Notifications } from "@mantine/notifications";
import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import type { components } from "@/lib/api/schema";
import { i18n } from "@/lib/i18n/i18n";
import { answerRequests, renderInApp } from "@/test-rendering";
import { FolderPanel } from "./folder-panel";
import type { Collection } from "./use-collections";

type Outcome = components["schemas"]["FolderOutcome"];

const ID = "00000000-0000-4000-8000-00000000000a";

const FOLDER_PATH = `/api/v1/collections/${ID}/folder`;

const folderWith = (outcome: Partial<Outcome>) => ({
  collection_id: ID,
  path: "/srv/scans",
  file_count: 10,
  is_scan_requested: false,
  last_scan_at: "2026-01-01T00:00:00Z",
  last_outcome: { is_dry_run: false, refused: [], ...outcome },
});

const SYSTEM = "GET /api/v1/system";

const show = () =>
  renderInApp(
    <ModalsProvider>
      <Notifications />
      <FolderPanel collection={{ id: ID } as Collection} />
    </ModalsProvider>,
  );

async function alertAfter(outcome: Partial<Outcome>) {
  answerRequests({ [`GET ${FOLDER_PATH}`]: () => folderWith(outcome) });
  show();
  await act(() => i18n.changeLanguage("it"));
  return (await screen.findByRole("alert")).textContent;
}

afterEach(() => i18n.changeLanguage("en"));

describe("a watched folder in Italian", () => {
  it("says in Italian why documents of missing files were kept", async () => {
    const values = { missing: 8, known: 10, percent: 30 };
    expect(await alertAfter({ held_back: "8 of 10.", held_back_code: "many_missing", held_back_values: values })).toBe(
      "I documenti dei file mancanti sono stati conservati: Mancano 8 file su 10, più del 30%.",
    );
  });

  it("says in Italian why a scan failed", async () => {
    expect(await alertAfter({ problem: "Not readable.", problem_code: "folder_gone" })).toMatch(
      /^Impossibile leggere la cartella controllata\./,
    );
  });

  it("shows the sentence of a scan that has no code", async () => {
    expect(await alertAfter({ held_back: "Every file is gone." })).toMatch(/: Every file is gone\.$/);
  });
});

describe("a watched folder", () => {
  it("says how to switch the feature on, before a path is typed", async () => {
    answerRequests({ [`GET ${FOLDER_PATH}`]: () => null, [SYSTEM]: () => ({ folder_roots: [] }) });
    show();
    expect(await screen.findByText("Watched folders are off")).toBeVisible();
    expect(screen.getByText("LECTERN_FOLDER_ROOTS")).toBeVisible();
    expect(screen.queryByLabelText("Folder on the server")).toBeNull();
  });

  it("names the directories that may be watched", async () => {
    answerRequests({ [`GET ${FOLDER_PATH}`]: () => null, [SYSTEM]: () => ({ folder_roots: ["/srv/scans", "/data"] }) });
    show();
    expect(await screen.findByLabelText("Folder on the server")).toHaveAccessibleDescription(/\/srv\/scans, \/data/);
  });

  it("says that it is no longer watched", async () => {
    let isWatched = true;
    answerRequests({
      [`GET ${FOLDER_PATH}`]: () => (isWatched ? folderWith({}) : null),
      [SYSTEM]: () => ({ folder_roots: ["/srv"] }),
      [`DELETE ${FOLDER_PATH}`]: () => {
        isWatched = false;
        return null;
      },
    });
    show();
    await userEvent.click(await screen.findByRole("button", { name: "Stop watching" }));
    expect(await screen.findByText("No longer watching the folder.")).toBeVisible();
    expect(await screen.findByLabelText("Folder on the server")).toBeVisible();
  });

  it("says how many documents went to the trash", async () => {
    let missing: Partial<Outcome> = { held_back: "Every file is gone.", held_back_code: "all_missing" };
    answerRequests({
      [`GET ${FOLDER_PATH}`]: () => folderWith(missing),
      [`POST /api/v1/collections/${ID}/ingest`]: ({ body }) => {
        if (!(body as { dry_run: boolean }).dry_run) missing = {};
        return { pruned_count: 10 };
      },
    });
    show();
    await userEvent.click(await screen.findByRole("button", { name: "Confirm deletions" }));
    await userEvent.click(await screen.findByRole("button", { name: "Move to trash" }));
    expect(await screen.findByText("10 documents moved to the trash.")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Confirm deletions" })).toBeNull();
  });
});
