import { fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { KeyTest } from "./key-test";

const RESULT = {
  url: "http://127.0.0.1:8001/mcp",
  tools: ["search", "list_tags"],
  called_tool: "list_tags",
  latency_ms: 41.5,
};

function open(result: object | null) {
  const asked = answerRequests(result ? { "POST /api/v1/keys/k1/test": () => result } : {});
  renderInApp(<KeyTest keyId="k1" />);
  fireEvent.click(screen.getByRole("button", { name: "Test this key" }));
  return asked;
}

it("shows the tools and the latency that the server measured", async () => {
  const asked = open(RESULT);
  await screen.findByText("Connected. This key has 2 tools: search, list_tags");
  screen.getByText("list_tags answered in 41.5 ms at http://127.0.0.1:8001/mcp.");
  expect(asked.filter(({ method }) => method === "POST")).toHaveLength(1);
});

it("says where it connected if no tool was called", async () => {
  open({ ...RESULT, called_tool: null, latency_ms: null });
  await screen.findByText("The service answered at http://127.0.0.1:8001/mcp.");
});

it("shows why a test failed", async () => {
  open(null);
  await screen.findByRole("alert");
  expect(screen.queryByRole("status")).toBeNull();
});
