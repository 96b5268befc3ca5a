import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { PreviewForm } from "./preview-form";

const SETTINGS = [
  { name: "rrf_k", value: 60, default: 60, description: "k.", environment_variable: "LECTERN_SEARCH_RRF_K" },
  { name: "vocabulary", value: true, default: true, description: "v.", environment_variable: "LECTERN_V" },
  { name: "new_one", value: 5, default: 4, description: "In the API's words.", environment_variable: "NEW" },
];
const measure = (value: number) => ({ value, low: 0, high: 1 });
const PREVIEW = {
  questions: 12,
  before: { "recall@1": measure(0.5), mrr: measure(0.7) },
  after: { "recall@1": measure(0.75), mrr: measure(0.8) },
  won: [],
  lost: [],
  same: 12,
  environment: { LECTERN_SEARCH_RRF_K: "7" },
  message: "",
};

function open() {
  const asked = answerRequests({
    "GET /api/v1/evaluations/settings": () => ({ items: SETTINGS }),
    "POST /api/v1/evaluations/preview": () => PREVIEW,
  });
  renderInApp(<PreviewForm />);
  return asked;
}

it("tries another value and shows what it does and how it is applied", async () => {
  const asked = open();
  const value = await screen.findByLabelText("Value");
  expect(screen.getByRole("button", { name: "Show what it does" })).toBeDisabled();
  await userEvent.clear(value);
  await userEvent.type(value, "7");
  await userEvent.click(screen.getByRole("button", { name: "Show what it does" }));
  await screen.findByText("0 won, 0 lost, 12 the same. Nothing is applied.");
  expect(asked.at(-1)?.body).toEqual({ settings: { rrf_k: 7 } });
  screen.getByText("LECTERN_SEARCH_RRF_K=7");
  screen.getByText("12 questions say little: star 20 or more.");
  const row = screen.getByRole("row", { name: /Found at rank 1/ });
  expect([...row.querySelectorAll("td")].map((cell) => cell.textContent)).toEqual([
    "Found at rank 1",
    "0.5",
    "0.75",
  ]);
});

it("says what a setting that is new to this page does in the API's own words", async () => {
  open();
  await userEvent.click(await screen.findByRole("combobox", { name: "Setting" }));
  await userEvent.click(await screen.findByText("new_one"));
  await screen.findByText("In the API's words. Now 5, as delivered 4.");
});

it("tries what is on or off the other way", async () => {
  const asked = open();
  await userEvent.click(await screen.findByRole("combobox", { name: "Setting" }));
  await userEvent.click(await screen.findByText("Vocabulary"));
  await screen.findByText(/Now on, as delivered on\./);
  expect(screen.getByRole("button", { name: "Show what it does" })).toBeDisabled();
  await userEvent.click(screen.getByRole("combobox", { name: "Value" }));
  await userEvent.click(await screen.findByRole("option", { name: "off" }));
  await userEvent.click(screen.getByRole("button", { name: "Show what it does" }));
  await screen.findByText("0 won, 0 lost, 12 the same. Nothing is applied.");
  expect(asked.at(-1)?.body).toEqual({ settings: { vocabulary: false } });
});
