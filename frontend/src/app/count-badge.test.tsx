import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { CountBadge } from "./count-badge";

const FAILED = { status: ["failed" as const] };

it("counts the documents that match, without fetching them", async () => {
  const asked = answerRequests({ "GET /api/v1/documents": () => ({ items: [], total: 1_204, next_cursor: null }) });
  renderInApp(<CountBadge search={FAILED} kind="failed" />);
  expect(await screen.findByText("1,204")).toHaveTextContent("1,204 failed");
  expect(asked[0]?.query.get("status")).toBe("failed");
  expect(asked[0]?.query.get("limit")).toBe("1");
});

it("is not there when nothing matches", async () => {
  const asked = answerRequests({ "GET /api/v1/documents": () => ({ items: [], total: 0, next_cursor: null }) });
  const { container } = renderInApp(<CountBadge search={FAILED} kind="failed" />);
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(container.querySelector("[data-kind]")).toBeNull();
});
