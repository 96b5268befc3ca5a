import { ModalsProvider } from "@mantine/modals";
import { Notifications, notifications } from "@mantine/notifications";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { EmbeddingsCard } from "./embeddings-card";
import { type Generation, type SystemFacts, useSystem } from "./use-system";

const USE = "/api/v1/system/embeddings/2/use";
const SEARCHED: Generation = {
  ...{ id: 1, embedding_model: "bge", fingerprint: "bge|384", dimensions: 384, activated_at: null },
  ...{ state: "active", is_set: true, embedded_chunks: 1000, ranker: "shipped" },
};
const FILLING: Generation = {
  ...SEARCHED,
  ...{ id: 2, embedding_model: "e5", dimensions: 768, state: "filling", embedded_chunks: 996 },
};
const facts = (...generations: Generation[]) => ({
  library: { chunks: 1000 },
  embeddings: { embedding_model: "bge", dimensions: 384, embedded_chunks: 1000, generations },
});

afterEach(() => notifications.clean());

function Screen() {
  const { data } = useSystem();
  return (
    <ModalsProvider>
      <Notifications />
      {data ? <EmbeddingsCard facts={data as SystemFacts} /> : null}
    </ModalsProvider>
  );
}

/** The facts are asked again after a switch: what they are then is given by `after`. */
async function open(generations: Generation[], { after }: { after?: Generation[] } = {}) {
  const used = () => asked.some(({ path }) => path === USE);
  const asked = answerRequests({
    "GET /api/v1/system": () => facts(...(after && used() ? after : generations)),
    ...(after ? { [`POST ${USE}`]: () => null } : {}),
  });
  await renderWithLinks(<Screen />, ["/golden"]);
  await screen.findByRole("region", { name: "Search by meaning" });
  return asked;
}

const rowOf = (number: number) =>
  screen.getByText(`Generation ${number}`).parentElement?.querySelector("dd") as HTMLElement;

it("says how each model's embeddings do, and offers those that can be searched instead", async () => {
  await open([
    { ...FILLING, id: 6, embedding_model: "left", is_set: false, embedded_chunks: null },
    { ...FILLING, id: 5, embedding_model: "gone", state: "retired", is_set: false, embedded_chunks: null },
    { ...FILLING, id: 4, embedding_model: "back", state: "retired", embedded_chunks: 1000 },
    { ...FILLING, id: 3, embedding_model: "whole", embedded_chunks: 1003 },
    FILLING,
    SEARCHED,
  ]);
  expect(rowOf(6)).toHaveTextContent(/^left, 768 dimensions · incomplete$/);
  expect(rowOf(5)).toHaveTextContent(/^gone, 768 dimensions · previously active$/);
  expect(rowOf(4)).toHaveTextContent(/^back, 768 dimensions · previously active1,000 of 1,000 passages \(100%\)/);
  expect(rowOf(3)).toHaveTextContent(/^whole, 768 dimensions · complete1,000 of 1,000 passages \(100%\)/);
  expect(rowOf(2)).toHaveTextContent(/^e5, 768 dimensions · building996 of 1,000 passages \(99%\)/);
  expect(rowOf(1)).toHaveTextContent(/^bge, 384 dimensions · active$/);
  expect(screen.getAllByRole("progressbar")).toHaveLength(1);
  expect(within(rowOf(2)).getByRole("progressbar")).toHaveAccessibleName("Passages indexed with e5, 768 dimensions");
  expect(screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"))).toEqual([
    "Switch to this model: back, 768 dimensions",
    "Switch to this model: whole, 768 dimensions",
    "Switch to this model: e5, 768 dimensions",
  ]);
});

it("searches by another model after it has asked, and says so", async () => {
  const after: Generation[] = [
    { ...FILLING, state: "active" },
    { ...SEARCHED, state: "retired" },
  ];
  const asked = await open([FILLING, SEARCHED], { after });
  const sent = () => asked.filter(({ method }) => method === "POST").map(({ path }) => path);
  await userEvent.click(screen.getByRole("button", { name: "Switch to this model: e5, 768 dimensions" }));
  const dialog = await screen.findByRole("dialog", { name: "Switch to e5?" });
  expect(dialog).toHaveTextContent(/You can switch back any time\./);
  expect(sent()).toEqual([]);
  await userEvent.click(within(dialog).getByRole("button", { name: "Switch to this model" }));
  await screen.findByText("Searches now use e5.");
  expect(sent()).toEqual([USE]);
  await waitFor(() => expect(rowOf(2)).toHaveTextContent(/· active$/));
  expect(within(rowOf(1)).getByRole("button")).toHaveAccessibleName("Switch to this model: bge, 384 dimensions");
});

it("says why it was refused, and leaves the way there", async () => {
  await open([FILLING, SEARCHED]);
  await userEvent.click(screen.getByRole("button", { name: /^Switch to this model/ }));
  const dialog = await screen.findByRole("dialog");
  await userEvent.click(within(dialog).getByRole("button", { name: "Switch to this model" }));
  // the words of the API, which has no answer to this here
  await screen.findByText(`POST ${USE}`);
  expect(screen.queryByText(/^Searches now use/)).toBeNull();
  expect(within(rowOf(2)).getByRole("button")).toBeEnabled();
});

it("says that a ranker is fitted to the library, and that one is outdated", async () => {
  await open([
    { ...FILLING, ranker: "outdated", state: "retired" },
    { ...SEARCHED, ranker: "fitted" },
  ]);
  expect(rowOf(1)).toHaveTextContent(/^bge, 384 dimensions · active · fitted ranker$/);
  expect(rowOf(2)).toHaveTextContent(/outdated fitted ranker/);
});
