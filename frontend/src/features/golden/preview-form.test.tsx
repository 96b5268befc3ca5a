import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Generation } from "@/features/system/use-system";
import { answerRequests, renderInApp, renderWithLinks } from "@/test-rendering";
import { PreviewForm } from "./preview-form";

const SETTINGS = [
  { name: "slope", value: 1, default: 1, description: "k.", environment_variable: "SLOPE" },
  { name: "synonyms", value: true, default: true, description: "v.", environment_variable: "LECTERN_V" },
  { name: "new_one", value: 5, default: 4, description: "In the API's words.", environment_variable: "NEW" },
  { name: "ranker", value: "model", default: "model", choices: ["model", "fusion"], environment_variable: "R" },
].map((setting) => ({ choices: null, description: "", ...setting }));
const measure = (value: number) => ({ value, low: 0, high: 1 });
const PREVIEW = {
  questions: 12,
  before: { "recall@1": measure(0.5), mrr: measure(0.7) },
  after: { "recall@1": measure(0.75), mrr: measure(0.8) },
  improved: [],
  regressed: [],
  unchanged: 12,
  environment: { SLOPE: "7" },
  message: "",
};

const OTHER = {
  ...{ id: 2, embedding_model: "e5", fingerprint: "e5|384", dimensions: 384, activated_at: null },
  ...{ state: "filling", is_set: true, embedded_chunks: 90, ranker: "shipped" },
} satisfies Generation;
const SEARCHED: Generation = {
  ...OTHER,
  id: 1,
  embedding_model: "bge",
  state: "active",
  embedded_chunks: 120,
};
const facts = (...others: Generation[]) => ({
  library: { chunks: 120 },
  embeddings: { embedding_model: "bge", generations: [...others, SEARCHED] },
});

const answers = {
  "GET /api/v1/evaluations/settings": () => ({ items: SETTINGS }),
  "GET /api/v1/system": () => facts(),
  "POST /api/v1/evaluations/preview": () => PREVIEW as object,
};

function open() {
  const asked = answerRequests(answers);
  renderInApp(<PreviewForm />);
  return asked;
}

it("tries another value and shows what it does and how it is applied", async () => {
  const asked = open();
  const value = await screen.findByLabelText("Value");
  expect(screen.getByRole("button", { name: "Compare" })).toBeDisabled();
  await userEvent.clear(value);
  await userEvent.type(value, "7");
  await userEvent.click(screen.getByRole("button", { name: "Compare" }));
  await screen.findByText("0 improved, 0 worsened, 12 unchanged. Nothing is applied.");
  expect(asked.at(-1)?.body).toEqual({ settings: { slope: 7 } });
  screen.getByText("SLOPE=7");
  screen.getByText("12 tests are too few. Star 20 or more results.");
  const row = screen.getByRole("row", { name: /Found at rank 1/ });
  expect([...row.querySelectorAll("td")].map((cell) => cell.textContent)).toEqual(["Found at rank 1", "0.5", "0.75"]);
});

it("says what a setting that is new to this page does in the API's own words", async () => {
  open();
  await userEvent.click(await screen.findByRole("combobox", { name: "Setting" }));
  await userEvent.click(await screen.findByText("new_one"));
  await screen.findByText("In the API's words. Current: 5. Default: 4.");
});

it("tries what is on or off the other way", async () => {
  const asked = open();
  await userEvent.click(await screen.findByRole("combobox", { name: "Setting" }));
  await userEvent.click(await screen.findByText("Synonyms"));
  await screen.findByText(/Current: On\. Default: On\./);
  expect(screen.getByRole("button", { name: "Compare" })).toBeDisabled();
  await userEvent.click(screen.getByRole("combobox", { name: "Value" }));
  await userEvent.click(await screen.findByRole("option", { name: "Off" }));
  await userEvent.click(screen.getByRole("button", { name: "Compare" }));
  await screen.findByText("0 improved, 0 worsened, 12 unchanged. Nothing is applied.");
  expect(asked.at(-1)?.body).toEqual({ settings: { synonyms: false } });
});

it("tries another of several words", async () => {
  const asked = open();
  await userEvent.click(await screen.findByRole("combobox", { name: "Setting" }));
  await userEvent.click(await screen.findByText("Ranker"));
  await userEvent.click(screen.getByRole("combobox", { name: "Value" }));
  await userEvent.click(await screen.findByRole("option", { name: "Fusion of both rankings" }));
  await userEvent.click(screen.getByRole("button", { name: "Compare" }));
  await screen.findByText("0 improved, 0 worsened, 12 unchanged. Nothing is applied.");
  expect(asked.at(-1)?.body).toEqual({ settings: { ranker: "fusion" } });
});

it("tries the other model that runs here, and leads to where it is used", async () => {
  const asked = answerRequests({
    ...answers,
    "GET /api/v1/system": () => facts(OTHER, { ...OTHER, id: 3, embedding_model: "old", is_set: false }),
    "POST /api/v1/evaluations/preview": () => ({ ...PREVIEW, environment: {} }),
  });
  await renderWithLinks(<PreviewForm />, ["/system"]);
  await userEvent.click(await screen.findByRole("combobox", { name: "Setting" }));
  await userEvent.click(await screen.findByText("Embedding model"));
  await screen.findByText(/Current: bge\. e5 covers 90 of 120 passages\./);
  await userEvent.click(screen.getByRole("combobox", { name: "Value" }));
  const offered = await screen.findAllByRole("option", { name: /dimensions/ });
  expect(offered.map((option) => option.textContent)).toEqual(["e5, 384 dimensions"]);
  await userEvent.click(screen.getByRole("button", { name: "Compare" }));
  const link = await screen.findByRole("link", { name: "System" });
  expect(link.getAttribute("href")).toBe("/system");
  expect(asked.at(-1)?.body).toEqual({ embeddings: 2 });
  expect(screen.queryByText(/by this variable/)).toBeNull();
});

it.each([
  ["there is none but the one that is searched", () => facts()],
  ["the other one does not run here", () => facts({ ...OTHER, is_set: false })],
])("offers no model where %s", async (_, system) => {
  const asked = answerRequests({ ...answers, "GET /api/v1/system": system });
  const { client } = renderInApp(<PreviewForm />);
  await waitFor(() => expect([client.isFetching(), asked.length]).toEqual([0, 2]));
  await userEvent.click(await screen.findByRole("combobox", { name: "Setting" }));
  expect(await screen.findAllByRole("option")).toHaveLength(SETTINGS.length);
});
