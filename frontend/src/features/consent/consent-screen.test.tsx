import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { readAuthorizationRequest } from "./authorization-request";
import { ConsentScreen } from "./consent-screen";

const QUERY =
  "?client_id=c1&redirect_uri=https%3A%2F%2Fclaude.example%2Fback&state=0012&unknown=1&scope=search+answers";
const PREVIEW = {
  client_name: "Claude",
  client_host: null,
  redirect_host: "claude.example",
  is_loopback: false,
  toolsets: ["search", "answers"],
  redirect_to: null,
};

function open(preview: object = PREVIEW) {
  const page = { items: [], total: 0, next_cursor: null };
  const asked = answerRequests({
    "GET /api/v1/documents": () => page,
    "GET /api/v1/collections": () => page,
    "GET /api/v1/tags": () => page,
    "GET /api/v1/oauth/authorization": () => preview,
    "POST /api/v1/oauth/authorization": () => ({ redirect_to: "https://claude.example/back?code=x" }),
  });
  const leave = vi.fn();
  const request = readAuthorizationRequest(QUERY);
  if (!request) throw new Error("no request");
  renderInApp(<ConsentScreen request={request} leave={leave} />);
  return { leave, decision: () => asked.find(({ method }) => method === "POST")?.body };
}

it("reads the parameters as they came, and nothing without a client", () => {
  expect(readAuthorizationRequest(QUERY)).toEqual({
    client_id: "c1",
    redirect_uri: "https://claude.example/back",
    state: "0012",
    scope: "search answers",
  });
  expect(readAuthorizationRequest("?client_id=c1")).toBeUndefined();
});

it("shows who asks, and gives what was chosen", { timeout: 30_000 }, async () => {
  const { leave, decision } = open();
  await screen.findByRole("heading", { name: "Give “Claude” access?" });
  screen.getByText("claude.example");
  screen.getByText(/name that the app gives itself/);
  fireEvent.click(screen.getByRole("checkbox", { name: /^Answer questions/ }));
  fireEvent.click(screen.getByRole("button", { name: "Allow access" }));
  await waitFor(() => expect(leave).toHaveBeenCalledWith("https://claude.example/back?code=x"));
  expect(decision()).toMatchObject({
    request: { client_id: "c1", state: "0012" },
    key: { name: "Claude", toolsets: ["search"], can_write: false },
  });
});

it("refuses", async () => {
  const { leave, decision } = open({ ...PREVIEW, client_host: "claude.example", is_loopback: true });
  await screen.findByText("The app is published by claude.example.");
  screen.getByText(/a program on this computer/);
  fireEvent.click(screen.getByRole("button", { name: "Refuse" }));
  await waitFor(() => expect(leave).toHaveBeenCalled());
  expect(decision()).toMatchObject({ key: null });
});

it("returns a wrong request to the app after a click", async () => {
  const { leave } = open({ ...PREVIEW, redirect_to: "https://claude.example/back?error=invalid_request" });
  const back = await screen.findByRole("button", { name: "Return to claude.example" });
  expect(leave).not.toHaveBeenCalled();
  expect(screen.queryByRole("button", { name: "Allow access" })).toBeNull();
  fireEvent.click(back);
  expect(leave).toHaveBeenCalledWith("https://claude.example/back?error=invalid_request");
});
