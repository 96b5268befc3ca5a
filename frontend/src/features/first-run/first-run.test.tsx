import { Notifications } from "@mantine/notifications";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Me } from "@/features/session/use-session";
import { answerRequests, renderInApp } from "@/test-rendering";
import { FirstRun } from "./first-run";

const ME = {
  id: "u",
  kind: "user",
  name: "Ada",
  role: "admin",
  can_write: true,
  toolsets: [],
} as unknown as Me;
const samples = (facts: object) => () => ({
  is_available: true,
  document_count: 15,
  loaded_count: 0,
  ...facts,
});

describe("an empty library", () => {
  it("says who is here and loads the samples with one button", async () => {
    const asked = answerRequests({
      "GET /api/v1/samples": samples({}),
      "POST /api/v1/samples": () => ({
        items: [
          { filename: "a.pdf", document: {}, is_duplicate: false },
          { filename: "b.pdf", document: {} },
        ],
      }),
    });
    renderInApp(
      <>
        <Notifications />
        <FirstRun me={ME} upload={null} />
      </>,
    );
    expect(screen.getByText("You are signed in as Ada (Administrator).")).toBeVisible();
    expect(await screen.findByText(/Or drop files/)).toHaveClass("mantine-visible-from-sm"); // a phone has nothing to drop
    await userEvent.click(await screen.findByRole("button", { name: "Load samples (15 documents)" }));
    await waitFor(() => expect(asked.some((one) => one.method === "POST")).toBe(true));
    expect(await screen.findByText("Processing 2 documents.")).toBeVisible();
  });

  it("offers no samples where there are none, and none to who may not write", async () => {
    const asked = answerRequests({
      "GET /api/v1/samples": samples({ is_available: false, document_count: 0 }),
    });
    const { unmount } = renderInApp(<FirstRun me={ME} upload={<p>upload</p>} />);
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(screen.queryByRole("button")).toBeNull();
    unmount();
    renderInApp(<FirstRun me={{ ...ME, role: "reader", can_write: false }} upload={<p>upload</p>} />);
    expect(screen.getByText(/Ask an administrator/)).toBeVisible();
    expect(screen.queryByText("upload")).toBeNull();
    expect(asked).toHaveLength(1);
  });
});
