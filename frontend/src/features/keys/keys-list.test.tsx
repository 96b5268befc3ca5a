import { ModalsProvider } from "@mantine/modals";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { i18n } from "@/lib/i18n/i18n";
import { answerRequests, renderInApp } from "@/test-rendering";
import { KeysList } from "./keys-list";
import type { ApiKey } from "./use-keys";

const LATER = new Date(Date.now() + 3_600_000).toISOString();
const KEY = {
  id: "k1",
  name: "agent",
  prefix: "lk_new",
  can_write: false,
  toolsets: ["search", "answers"],
  allowed_networks: ["10.0.0.0/8"],
  previous_prefix: "lk_old",
  previous_expires_at: LATER,
  expires_at: null,
  revoked_at: null,
} as unknown as ApiKey;
const VIEW = { document_count: 3, collection_count: 1, tag_count: 2, tools: ["search"], operations: ["get_me"] };

function open(maxDays: number | null = null, key: ApiKey = KEY) {
  const asked = answerRequests({
    "GET /api/v1/keys": () => ({ items: [key], total: 1, next_cursor: null }),
    "GET /api/v1/keys/policy": () => ({ max_days: maxDays, toolsets: [] }),
    "GET /api/v1/keys/k1/view": () => VIEW,
    "POST /api/v1/keys/k1/rotate": () => ({ api_key: KEY, key: "lk_secret" }),
  });
  const onRotated = vi.fn();
  renderInApp(
    <ModalsProvider>
      <KeysList onRotated={onRotated} />
    </ModalsProvider>,
  );
  return { onRotated, rotation: () => asked.find(({ method }) => method === "POST")?.body };
}

it("leaves the focus at a key that is revoked", async () => {
  let revoked_at: string | null = null;
  answerRequests({
    "GET /api/v1/keys": () => ({ items: [{ ...KEY, revoked_at }], total: 1, next_cursor: null }),
    "DELETE /api/v1/keys/k1": () => {
      revoked_at = new Date().toISOString();
      return new Response(null, { status: 204 });
    },
  });
  renderInApp(
    <ModalsProvider>
      <div id="root">
        <KeysList onRotated={() => undefined} />
      </div>
    </ModalsProvider>,
  );
  const button = await screen.findByRole("button", { name: "Revoke" });
  button.focus();
  fireEvent.click(button);
  fireEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Revoke" }));
  await screen.findByText("Revoked");
  await waitFor(() => expect(document.activeElement).toHaveTextContent(/^agentRevoked/));
});

const submit = () => fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Rotate" }));

it("says what a key may do, from where, and until when its old secret works", async () => {
  open();
  await screen.findByText("Toolsets: search, answers · from: 10.0.0.0/8");
  screen.getByText(/old secret lk_old… works until/);
  fireEvent.click(screen.getByRole("button", { name: "Show access" }));
  await screen.findByText("3 documents");
  screen.getByText("MCP tools: search");
});

it("names the key of the environment in the language of the page", async () => {
  open(null, { ...KEY, name: "mcp (from the environment)", prefix: "environment" });
  await screen.findByText("mcp (from the environment)");
  await act(() => i18n.changeLanguage("it"));
  await screen.findByText("mcp (dalle variabili d'ambiente)");
  expect(screen.queryByRole("button", { name: i18n.t("keys:rotate.action") })).toBeNull(); // the API refuses it
  await screen.findByRole("button", { name: i18n.t("keys:revoke") });
});

it("rotates a key and hands the new secret on", async () => {
  const { onRotated, rotation } = open();
  fireEvent.click(await screen.findByRole("button", { name: "Rotate" }));
  fireEvent.change(await screen.findByLabelText(/Hours/), { target: { value: "0" } });
  submit();
  await waitFor(() => expect(onRotated).toHaveBeenCalledWith(expect.objectContaining({ key: "lk_secret" })));
  expect(rotation()).toEqual({ overlap_hours: 0 });
});

it("asks for an expiry where the installation limits lifetimes", async () => {
  const { rotation } = open(30);
  fireEvent.click(await screen.findByRole("button", { name: "Rotate" }));
  const days = await screen.findByLabelText(/Days/);
  fireEvent.change(days, { target: { value: "31" } });
  submit();
  await screen.findByText("Enter a whole number from 1 to 30.");
  expect(rotation()).toBeUndefined();
  fireEvent.change(days, { target: { value: "30" } });
  submit();
  await waitFor(() => expect(rotation()).toMatchObject({ overlap_hours: 24, expires_at: expect.any(String) }));
});

it("names the app of a key, which nobody can rotate", async () => {
  open(null, { ...KEY, client_name: "Claude" });
  await screen.findByText("App: Claude");
  screen.getByRole("button", { name: "Revoke" });
  expect(screen.queryByRole("button", { name: "Rotate" })).toBeNull();
  expect(screen.queryByText(/works until/)).toBeNull();
});
