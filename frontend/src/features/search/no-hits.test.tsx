import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { NoHits } from "./no-hits";

it.each([
  [true, true, 1],
  [true, false, 0],
  [false, true, 0],
])("offers an upload in an empty library to who may write (%s, %s)", async (isEmptyLibrary, canWrite, buttons) => {
  const asked: string[] = [];
  answerRequests({
    "GET /api/v1/auth/me": () => {
      asked.push("me");
      return { id: "u1", name: "Ada", role: "editor", can_write: canWrite, toolsets: [] };
    },
  });
  renderInApp(<NoHits isEmptyLibrary={isEmptyLibrary} hasFilters={false} />);
  await expect.poll(() => asked).toEqual(["me"]);
  if (buttons > 0) await screen.findByRole("button", { name: "Upload files" });
  expect(screen.queryAllByRole("button", { name: "Upload files" })).toHaveLength(buttons);
});
