import { readFileSync } from "node:fs";
import { fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { i18n } from "@/lib/i18n/i18n";
import english from "@/locales/en/why.json";
import italian from "@/locales/it/why.json";
import { answerRequests, renderInApp } from "@/test-rendering";
import { toRequest } from "./search-url";
import { changeOfAddress, WhyForm } from "./why-form";

it("says where the expected passage got lost, and offers the change that brings it up", async () => {
  const asked = answerRequests({
    "GET /api/v1/documents": () => ({
      items: [{ id: "d1", filename: "policy.pdf" }],
      total: 1,
      next_cursor: null,
    }),
    "POST /api/v1/search/why": () => ({
      stage: "top_k",
      code: "below_top_k",
      values: { rank: 14, asked: 10 },
      reason: "in the API's words",
      change: { code: "ask_for_more", values: { hits: 14 }, text: "-", field: "top_k", value: 14 },
    }),
  });
  const onChange = vi.fn();
  renderInApp(<WhyForm request={toRequest({}, "retention")} onChange={onChange} />);
  fireEvent.click(screen.getByRole("combobox", { name: /document/i }));
  fireEvent.click(await screen.findByRole("option", { name: "policy.pdf", hidden: true }));
  fireEvent.click(screen.getByRole("button", { name: "Find out why" }));

  await screen.findByText("The passage is at rank 14. The search returned the top 10.");
  expect(asked.at(-1)?.body).toMatchObject({ query: "retention", document: "d1" });
  fireEvent.click(screen.getByRole("button", { name: "Apply" }));
  expect(onChange).toHaveBeenCalledWith({ k: 14 });
});

const { schemas } = JSON.parse(readFileSync("../api/openapi.json", "utf8")).components as {
  schemas: Record<"WhyResponse" | "SuggestedChange", { properties: { code: { enum: string[] } } }>;
};
const LEFT_OUT = {
  stage: "scope",
  code: "filtered_out",
  values: { filename: "policy.pdf", fields: ["tags", "created_after"] },
  reason: "in the API's words",
  change: { code: "drop_filters", values: { fields: ["tags", "created_after"] }, text: "-" },
};

async function findOut(found: object) {
  const items = [{ id: "d1", filename: "policy.pdf" }];
  answerRequests({
    "GET /api/v1/documents": () => ({ items, total: 1, next_cursor: null }),
    "POST /api/v1/search/why": () => found,
  });
  renderInApp(<WhyForm request={toRequest({}, "retention")} onChange={vi.fn()} />);
  fireEvent.click(screen.getByRole("combobox", { name: /document/i }));
  fireEvent.click(await screen.findByRole("option", { name: "policy.pdf", hidden: true }));
  await i18n.changeLanguage("it");
  fireEvent.click(await screen.findByRole("button", { name: "Scopri perché" }));
}

it("says why in the language of the person, with the filters by their names", async () => {
  await findOut(LEFT_OUT);
  await screen.findByText("I filtri escludono policy.pdf: etichette, data iniziale.");
  screen.getByText("Cerca senza questi filtri: etichette, data iniziale.");
  await i18n.changeLanguage("en");
});

it("says a reason that it does not know in the API's own words", async () => {
  await findOut({ ...LEFT_OUT, code: "came_later", change: null });
  await screen.findByText("in the API's words");
  await i18n.changeLanguage("en");
});

it("has words for every reason and every change of the API, in each language", () => {
  const reasons = schemas.WhyResponse.properties.code.enum.toSorted();
  const changes = schemas.SuggestedChange.properties.code.enum.toSorted();
  for (const texts of [english, italian]) {
    expect(Object.keys(texts.reason).toSorted()).toEqual(reasons);
    expect(Object.keys(texts.change).toSorted()).toEqual(changes);
  }
});

it("offers no change that the page cannot make", () => {
  expect(changeOfAddress({ field: "top_k", value: 50 })).toBeNull();
  expect(changeOfAddress({ field: null, value: null })).toBeNull();
});
