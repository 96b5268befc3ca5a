import { describe } from "vitest";
import type { components } from "../src/lib/api/schema";
import { ask as api, documentsNamed } from "./support/api";
import { type Desk, expect, test } from "./support/desk";
import type { Stack } from "./support/stack";

type Golden = components["schemas"]["Page_GoldenQueryResponse_"];
type Threads = components["schemas"]["Page_ThreadEntry_"];
type Notes = components["schemas"]["Page_NoteResponse_"];
type History = components["schemas"]["Page_SavedAnswerEntry_"];

const kept = async (stack: Stack) => (await api<History>(stack, "/answers?limit=200")).items;
const MARK = ".lectern-highlights > div:not([data-kind])";

async function ask({ page, t }: Desk, question: string): Promise<void> {
  await page.getByRole("textbox", { name: t("ask:question") }).fill(question);
  await page.getByRole("textbox", { name: t("ask:question") }).press("Enter");
}

describe("a question", () => {
  test("is answered with numbered citations, and each opens its page at the passage beside the answer", async ({
    open,
    stack,
  }) => {
    const desk = await open();
    const { page, t } = desk;
    // what is compared is answered from each of the documents
    const compared = [...(await documentsNamed(stack, "aml-kyc")), ...(await documentsNamed(stack, "data-privacy"))];
    const documents = encodeURIComponent(JSON.stringify(compared.map(({ id }) => id)));
    await desk.go(`/ask?documents=${documents}`);
    await ask(desk, "Compare how long records are kept");
    const numbers = page.getByRole("button", { name: /^Open citation \d+$/ });
    await numbers.first().waitFor();
    await page.getByRole("button", { name: t("ask:copy") }).waitFor();
    await page.locator(MARK).first().waitFor();
    expect(await numbers.first().getAttribute("aria-pressed")).toBe("true");

    await numbers.last().click();
    await page.locator(MARK).first().waitFor();
    expect(await numbers.count()).toBeGreaterThan(1);
    expect(await numbers.last().getAttribute("aria-pressed")).toBe("true");
    expect(await numbers.first().getAttribute("aria-pressed")).toBe("false");
    await page.reload();
    await numbers.first().waitFor();
  });

  test("in an unreadable thread reads the same as in a deleted one, and begins a new one", async ({ open }) => {
    const desk = await open();
    desk.expectComplaint(/404/);
    const { page, t } = desk;
    await desk.go("/ask?thread=foo");
    await page.getByText("Your history has no such thread.").waitFor();
    await page.getByPlaceholder(t("ask:placeholder")).fill("How many days of leave are there?");
    await page.keyboard.press("Enter");
    await page.getByPlaceholder(t("ask:followUp")).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("is answered with a wide row as a list on a phone, so that every value is in sight", async ({ open, stack }) => {
    const desk = await open({ size: "phone" });
    const { page, t } = desk;
    const [report] = await documentsNamed(stack, "annual-report");
    await desk.go(`/ask?documents=${encodeURIComponent(JSON.stringify([report?.id]))}`);
    await ask(desk, "What was the net profit in 2021?");
    await page.getByRole("button", { name: t("ask:copy") }).waitFor();
    const list = page.getByRole("table").filter({ hasText: "2021" });
    const sight = await list.locator("..").boundingBox();
    const year = list.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "2021" }) });
    await year.getByText("13,904").waitFor();
    await list.getByRole("button", { name: t("ask:openCitation", { number: 1 }) }).waitFor();
    expect((await list.boundingBox())?.width).toBeLessThanOrEqual(sight?.width ?? Number.NaN);
  });

  test("has an answer that shows its source at the number, and is saved as a note there", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go(`/ask?q=${encodeURIComponent("How long are records kept after the end of the relationship?")}`);
    const number = page.getByRole("button", { name: t("ask:openCitation", { number: 1 }) }).first();
    await number.hover();
    const card = page.getByRole("tooltip");
    await card.waitFor();
    const title = ((await card.textContent()) ?? "").match(/^1\. (.*?)Page \d+/)?.[1] ?? "";
    await page.getByRole("button", { name: t("ask:saveAsNote") }).click();
    await page.getByText(t("ask:noteSaved", { title })).waitFor();
    await page.getByRole("button", { name: t("ask:savedAsNote") }).waitFor();

    const [document] = await documentsNamed(stack, title);
    const { items } = await api<Notes>(stack, `/documents/${document?.id}/notes`);
    const note = items.find(({ text }) => text.includes("end of the relationship?"));
    expect(note?.text).toContain(`[1] ${title}`);
    expect(note?.is_shared).toBe(false);
  });

  test("is kept with its answer: it is found again, judged, and forgotten", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    const question = "How long are records kept after the end of the relationship?";
    await desk.go(`/ask?q=${encodeURIComponent(question)}`);
    const helpful = page.getByRole("button", { name: t("ask:feedback.helpful") });
    await helpful.click();
    await page.getByText(t("golden.kept")).waitFor();
    expect(await helpful.getAttribute("aria-pressed")).toBe("true");
    const { items: golden } = await api<Golden>(stack, "/evaluations/golden");
    expect(golden.map(({ query }) => query)).toContain(question);

    // other files of the suite ask the same
    const timesKept = async () => (await kept(stack)).filter((one) => one.question === question).length;
    const before = await timesKept();
    await desk.go("/ask");
    const entry = page.getByRole("listitem").filter({ hasText: question });
    await entry
      .first()
      .getByRole("button", { name: t("ask:history.forget", { question }) })
      .click();
    const dialog = page.getByRole("dialog", { name: t("ask:history.forgetTitle") });
    await dialog.getByRole("button", { name: t("ask:history.forgetAction") }).click();
    await expect.poll(timesKept, { timeout: 30_000 }).toBe(before - 1);

    await page.getByRole("button", { name: t("ask:history.forgetAll") }).click();
    await page.getByRole("dialog", { name: t("ask:history.forgetAllTitle") }).waitFor();
  });

  test("continues its thread: a follow-up is rewritten, edited, asked again, and kept", async ({ open, stack }) => {
    const desk = await open({ size: "phone" });
    const { page, t } = desk;
    await desk.go(`/ask?collections=${encodeURIComponent(JSON.stringify(["Bank policies"]))}`);
    await ask(desk, "What is the hotel limit per night in London?");
    await page.waitForURL(/thread=/);
    await page.locator(MARK).first().waitFor();
    await ask(desk, "And in New York?");
    const rewritten = "What is the hotel limit per night in New York?";
    await page.getByText(t("ask:rewritten.label", { question: rewritten })).waitFor();
    await page.waitForURL((url) => !url.searchParams.has("q"));
    await page.locator(MARK).first().waitFor();

    await page.getByRole("button", { name: t("ask:rewritten.edit") }).click();
    const field = page.getByRole("textbox", { name: t("ask:rewritten.edit") });
    await field.fill("What is the hotel limit per night in Milan?");
    await field.press("Enter");
    await page.getByRole("heading", { name: "What is the hotel limit per night in Milan?" }).waitFor();
    await page.waitForURL((url) => !url.searchParams.has("q"));
    await page.locator(MARK).first().waitFor();
    const [thread] = (await api<Threads>(stack, "/threads")).items;
    expect([thread?.answer_count, thread?.scope.collections]).toEqual([3, ["Bank policies"]]);

    await page.getByRole("button", { name: t("ask:scope.remove", { label: t("ask:scope.collections") }) }).click();
    expect(page.url()).not.toContain("collections");
    await page.getByRole("button", { name: t("ask:newQuestion") }).click();
    await page.getByRole("link", { name: "What is the hotel limit per night in London?" }).first().click();
    await page.getByText(t("ask:rewritten.label", { question: rewritten })).waitFor();
    await page.locator(MARK).first().waitFor();
  });

  test("scrolls to each follow-up, and stays there when it is answered", async ({ open }) => {
    const desk = await open();
    const { page } = desk;
    await desk.go("/ask");
    await ask(desk, "What is the hotel limit per night in London?");
    await page.waitForURL(/thread=/);
    for (const question of ["And in New York?", "And in Milan?", "And in Rome?"]) {
      await ask(desk, question);
      await page.waitForURL((url) => !url.searchParams.has("q"));
      const turn = page.getByRole("region", { name: question });
      const heading = turn.getByRole("heading", { name: question });
      await heading.waitFor();
      const top = async () => (await heading.boundingBox())?.y ?? 0;
      await expect.poll(top).toBeGreaterThan(40);
      await expect.poll(top).toBeLessThan(450);
    }
  });

  test("keeps its answer in sight on a phone, and a citation leads to the page below it", async ({ open }) => {
    const desk = await open({ size: "phone" });
    const { page } = desk;
    const question = "How many days of paid holiday are there?";
    await desk.go("/ask");
    await ask(desk, question);
    await page.waitForURL(/thread=/);
    const mark = page.locator("[data-reader] mark[data-current]");
    await mark.waitFor();
    const heading = page.getByRole("heading", { name: question });
    expect((await heading.boundingBox())?.y).toBeGreaterThan(40);
    await page
      .getByRole("button", { name: /^Open citation 1/ })
      .first()
      .click();
    const isInSight = async () => {
      const box = await mark.boundingBox();
      return box !== null && box.y > 40 && box.y + box.height < 844;
    };
    await expect.poll(isInSight).toBe(true);
  });

  test("a question about something else finds nothing, and shows the closest passages", async ({ open }) => {
    const desk = await open({ size: "phone", language: "it" });
    const { page, t } = desk;
    await desk.go("/ask");
    await ask(desk, "Who won the football world cup in 1974?");
    await page.getByText(t("ask:outcome.nothing_found")).waitFor();
    await page.getByRole("heading", { name: t("ask:nearest") }).waitFor();
    expect(await page.getByRole("button", { name: /^Apri la citazione/ }).count()).toBe(0);
  });

  test("is asked of a tag, a collection, chosen documents or the document of a hit", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    const [policy] = await documentsNamed(stack, "aml-kyc-policy");
    const [title, collection] = [policy?.title ?? "", policy?.collection.name ?? ""];
    const scope = page.getByRole("group", { name: t("ask:scope.label") });

    await desk.go("/tags");
    await page.getByRole("link", { name: t("tags.ask", { name: "aml" }), exact: true }).click();
    await scope.filter({ hasText: "aml" }).waitFor();
    await desk.go("/collections");
    await page.getByRole("link", { name: t("tags.ask", { name: collection }), exact: true }).click();
    await scope.filter({ hasText: collection }).waitFor();
    await desk.go("/documents?q=aml-kyc-policy");
    await page.locator("table[aria-busy=false] tbody tr").first().waitFor();
    for (const key of ["j", "x"]) await page.keyboard.press(key);
    await page.getByRole("link", { name: t("documents.bulk.ask") }).click();
    await scope.filter({ hasText: title }).waitFor();

    await desk.go(`/search?q=${encodeURIComponent("enhanced due diligence politically exposed persons")}&tags=aml`);
    const hit = page.locator("li[id^=hit-]").first();
    await hit.getByRole("link", { name: /^Ask about / }).click();
    await page.waitForURL(/\/documents\/.+[?&]panel=ask/);
    await page.locator(MARK).first().waitFor();
    await ask(desk, "How long are records kept after the end of the relationship?");
    await page.getByRole("button", { name: t("ask:copy") }).waitFor();
  });
});
