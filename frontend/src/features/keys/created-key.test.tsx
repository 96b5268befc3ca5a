import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { CreatedKeyPanel } from "./created-key";
import type { CreatedKey } from "./use-keys";

const TOLD = "http://lectern.local:8111/mcp";
const API_KEY = { id: "k1", name: "agent", last_used_at: null };
const CREATED = { key: "lk_secret", api_key: API_KEY } as unknown as CreatedKey;

function open({ isKnown = true } = {}) {
  answerRequests({
    "GET /api/v1/keys/k1": () => API_KEY,
    ...(isKnown ? { "GET /api/v1/system/mcp-address": () => ({ url: TOLD }) } : {}),
  });
  renderInApp(<CreatedKeyPanel created={CREATED} onClose={() => undefined} />);
}

const address = () => screen.findByLabelText<HTMLInputElement>(/MCP service URL/);
const configuration = () => screen.getByRole("tabpanel").textContent ?? "";

afterEach(() => localStorage.clear());

it("takes the focus, because the key is shown only once", async () => {
  open();
  expect(await screen.findByRole("alert")).toHaveFocus();
});

it("makes the configurations for the address that the API tells", async () => {
  open();
  await waitFor(async () => expect((await address()).value).toBe(TOLD));
  expect(configuration()).toContain(TOLD);
  expect(configuration()).toContain("lk_secret");
});

it("makes them for the address that a person writes, until it is taken out again", async () => {
  open();
  await waitFor(async () => expect((await address()).value).toBe(TOLD));
  fireEvent.change(await address(), { target: { value: "https://agents.example.org/mcp" } });
  expect(configuration()).toContain("https://agents.example.org/mcp");

  fireEvent.change(await address(), { target: { value: "" } });
  expect((await address()).value).toBe("");
  expect(configuration()).toContain(TOLD);
});

it("asks for the address where it cannot be found out, and guesses none", async () => {
  open({ isKnown: false });
  await screen.findByText(/could not be detected/);
  expect(screen.queryByRole("tabpanel")).toBeNull();
  fireEvent.change(await address(), { target: { value: "https://agents.example.org/mcp" } });
  expect(configuration()).toContain("https://agents.example.org/mcp");
});

it("has a tab for each client, which points at its panel", async () => {
  open();
  const tabs = await screen.findAllByRole("tab");
  expect(tabs.map((tab) => tab.getAttribute("aria-controls")).filter((id) => /\s/.test(id ?? " "))).toEqual([]);
  fireEvent.click(screen.getByRole("tab", { name: "VS Code" }));
  expect(configuration()).toContain(".vscode/mcp.json");
});
