import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { CreateKeyForm } from "./create-key-form";

const DOCUMENTS = [
  { id: "d1", filename: "policy.pdf", title: null },
  { id: "d2", filename: "handbook.md", title: null },
];

function open(canWrite = true) {
  const page = { next_cursor: null };
  const asked = answerRequests({
    "GET /api/v1/auth/me": () => ({ can_write: canWrite }),
    "GET /api/v1/documents": () => ({ items: DOCUMENTS, total: 2, ...page }),
    "GET /api/v1/collections": () => ({ items: [], total: 0, ...page }),
    "GET /api/v1/tags": () => ({ items: [], total: 0, ...page }),
    "POST /api/v1/keys": () => ({ id: "k1", name: "agent", key: "secret" }),
  });
  const onCreated = vi.fn();
  renderInApp(<CreateKeyForm onCreated={onCreated} />);
  const created = () => asked.find(({ method }) => method === "POST")?.body as Record<string, unknown> | undefined;
  return { created, onCreated };
}

const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const create = () => fireEvent.click(screen.getByRole("button", { name: "Create key" }));

it("narrows a key to the documents and the toolsets that were chosen, and to nothing else", {
  timeout: 30_000,
}, async () => {
  const { created, onCreated } = open();
  type(/^Name/, "agent");
  fireEvent.click(screen.getByRole("combobox", { name: "Only these documents" }));
  fireEvent.click(await screen.findByRole("option", { name: /handbook\.md/, hidden: true }));
  fireEvent.click(screen.getByRole("checkbox", { name: /^Answer questions/ }));
  await screen.findByText(/1 document/);
  create();

  await waitFor(() => expect(onCreated).toHaveBeenCalled());
  const body = created();
  expect(body).toMatchObject({ name: "agent", toolsets: ["search", "answers"], can_write: false });
  expect(body?.documents).toHaveLength(1);
  expect(body).not.toHaveProperty("tags");
  expect(body).not.toHaveProperty("collections");
});

it("reaches every document when none is chosen", async () => {
  const { created, onCreated } = open();
  type(/^Name/, "agent");
  create();
  await waitFor(() => expect(onCreated).toHaveBeenCalled());
  expect(created()).not.toHaveProperty("documents");
  expect(created()).toMatchObject({ toolsets: ["search"] });
});

it("limits a key to networks, and gives a key that writes the tools for it", async () => {
  const { created, onCreated } = open();
  type(/^Name/, "agent");
  type(/^Only from these networks/, "10.0.0.0/8, 2001:db8::/32");
  fireEvent.click(screen.getByRole("switch", { name: "Can upload and edit" }));
  create();
  await waitFor(() => expect(onCreated).toHaveBeenCalled());
  expect(created()).toMatchObject({
    allowed_networks: ["10.0.0.0/8", "2001:db8::/32"],
    can_write: true,
    toolsets: ["search", "library"],
  });
});

it("moves the focus to a name that is missing, which may be out of sight", async () => {
  const { created } = open();
  create();
  await waitFor(() => expect(screen.getByLabelText(/^Name/)).toHaveFocus());
  expect(created()).toBeUndefined();
});

it("makes no key without a tool", async () => {
  const { created } = open();
  type(/^Name/, "agent");
  fireEvent.click(screen.getByRole("checkbox", { name: "Search, read and cite passages" }));
  create();
  await screen.findByText(/at least one/i);
  expect(created()).toBeUndefined();
});

it("offers no key that writes to somebody who may only read", async () => {
  open(false);
  await waitFor(() => expect(screen.queryByRole("switch", { name: "Can upload and edit" })).not.toBeInTheDocument());
});
