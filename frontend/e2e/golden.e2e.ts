import { describe } from "vitest";
import type { components } from "../src/lib/api/schema";
import { ask, documentsNamed } from "./support/api";
import { expect, test } from "./support/desk";
import type { Stack } from "./support/stack";

type Golden = components["schemas"]["Page_GoldenQueryResponse_"];

const PATIENT = { timeout: 90_000 };
const QUERY = "hotel limit per night in Milan";

const marksOf = async (stack: Stack, query: string) =>
  (await ask<Golden>(stack, `/evaluations/golden?query=${encodeURIComponent(query)}`)).items;

describe("a hit", () => {
  test("with a star is a golden query, until the star is taken away; other passages of its page are not", async ({
    open,
    stack,
  }) => {
    const desk = await open();
    const { page, t } = desk;
    const [policy] = await documentsNamed(stack, "travel-and-expenses-policy.pdf");
    await desk.go(`/search?q=${encodeURIComponent(QUERY)}&documents=${policy?.id}&k=20`);
    const stars = page.getByRole("button", { name: t("golden.star") });
    await stars.first().click();
    await expect.poll(async () => (await marksOf(stack, QUERY)).length, PATIENT).toBe(1);
    const [mark] = await marksOf(stack, QUERY);
    expect(mark?.chunk).not.toBeNull();

    await page.reload();
    const pressed = page.getByRole("button", { name: t("golden.star"), pressed: true });
    await pressed.first().waitFor();
    expect([await pressed.count(), (await stars.count()) > 1]).toEqual([1, true]);
    await pressed.click();
    await expect.poll(async () => (await marksOf(stack, QUERY)).length, PATIENT).toBe(0);
  });
});

describe("golden queries", () => {
  test("are asked, tried under another setting, opened at their passage and taken away, by keyboard alone", async ({
    open,
    stack,
  }) => {
    const desk = await open();
    const { page, t } = desk;
    const query = "mileage allowance for a private car";
    const [policy] = await documentsNamed(stack, "travel-and-expenses-policy.pdf");
    await desk.go(`/search?q=${encodeURIComponent(query)}&documents=${policy?.id}`);
    await page
      .getByRole("button", { name: t("golden.star") })
      .first()
      .press("Enter");
    await page.getByRole("button", { name: t("golden.star"), pressed: true }).waitFor();

    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("g");
    await page.keyboard.press("g");
    await page.getByRole("heading", { level: 1, name: t("nav.golden") }).waitFor();
    const row = page
      .getByRole("list", { name: t("golden:listLabel") })
      .getByRole("listitem")
      .filter({ hasText: query });
    await row.getByText(t("golden:neverAsked")).waitFor();
    await page.getByRole("button", { name: t("golden:run") }).press("Enter");
    await row.getByText(/^Found at rank \d+$/).waitFor();

    await page.getByRole("combobox", { name: t("golden:value"), exact: true }).press("ArrowDown");
    await page.getByRole("option", { name: t("golden:choices.fusion") }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: t("golden:try") }).press("Enter");
    const result = page.getByRole("region", { name: t("golden:result") });
    await result.getByText(/^\d+ improved, \d+ worsened, \d+ unchanged\. Nothing is applied\.$/).waitFor();
    await result.getByText("LECTERN_SEARCH_RANKER=fusion").waitFor();

    await row.getByRole("button", { name: t("golden:removeOne", { query }) }).press("Enter");
    await row.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: t("actions.undo") }).press("Enter");
    await row.getByText(t("golden:ofPassage")).waitFor();
    const [mark] = await marksOf(stack, query);
    expect(mark?.chunk).not.toBeNull();
    await row.getByRole("link", { name: /travel-and-expenses-policy\.pdf/ }).press("Enter");
    await page.locator(".pdfViewer .lectern-highlights").first().waitFor();
    await ask(stack, `/evaluations/golden/${mark?.id}`, { method: "DELETE" });
  });
});
