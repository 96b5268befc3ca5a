import { describe } from "vitest";
import type { components } from "../src/lib/api/schema";
import { ask } from "./support/api";
import { type Desk, expect, test } from "./support/desk";
import { NEXT_MODEL, type Stack } from "./support/stack";

type Facts = components["schemas"]["SystemResponse"]["embeddings"];
type Found = components["schemas"]["SearchResponse"];

const PATIENT = { timeout: 90_000 };

const factsOf = async (stack: Stack) => (await ask<{ embeddings: Facts }>(stack, "/system")).embeddings;

async function search(stack: Stack) {
  const body = JSON.stringify({ query: "customer due diligence", hybrid: false });
  return await ask<Found>(stack, "/search", { method: "POST", body });
}

/** Search by a model from now on, as a person does it. */
async function use({ page, t }: Desk, model: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^${t("system:useModel")}: ${model},`) }).click();
  const dialog = page.getByRole("dialog", { name: t("system:useModelTitle", { model }) });
  await dialog.getByRole("button", { name: t("system:useModel") }).click();
  await page.getByText(t("system:modelUsed", { model })).waitFor();
}

describe("another embedding model", () => {
  test("is made beside the one in use, used from the page on the system, and left again", async ({ open, stack }) => {
    const before = await factsOf(stack);
    const number = before.generations.find(({ embedding_model }) => embedding_model === NEXT_MODEL)?.id;
    const own = before.generations.find(({ state }) => state === "active")?.id;
    const made = async () => {
      const { embedded_chunks: all, generations } = await factsOf(stack);
      return all > 0 && generations.every(({ embedded_chunks: count }) => count === all);
    };
    await expect.poll(made, PATIENT).toBe(true);
    const desk = await open();
    await desk.go("/system");
    try {
      await use(desk, NEXT_MODEL);
      expect((await factsOf(stack)).embedding_model).toBe(NEXT_MODEL);
      expect((await search(stack)).metadata.strategy).toMatchObject({
        semantic: "exact",
        is_degraded: false,
      });
      await use(desk, before.embedding_model);
    } finally {
      await ask(stack, `/system/embeddings/${own}/use`, { method: "POST" });
    }
    expect(number).not.toBe(own);
    expect((await factsOf(stack)).embedding_model).toBe(before.embedding_model);
    expect((await search(stack)).data[0]?.document).toMatch(/aml-kyc|antiriciclaggio/);
  });
});
