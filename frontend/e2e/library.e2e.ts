import { describe } from "vitest";
import { ask, documentsNamed } from "./support/api";
import { violationsOf } from "./support/axe";
import { type Desk, expect, test } from "./support/desk";

describe("the library", () => {
  test("tags all that match in one go, takes the tag off again, and the address keeps the filter", async ({
    open,
    stack,
  }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/documents?q=policy.pdf");
    await page.getByLabel(t("documents.selectPage")).check();
    await changeTags(desk, "tag", "under review");
    const row = page.getByRole("row").filter({ hasText: "data-privacy-policy.pdf" });
    await row.getByTitle("under review").waitFor();
    const tagged = await documentsNamed(stack, "policy.pdf");
    expect(tagged.every(({ tags }) => tags.includes("under review"))).toBe(true);

    await page.getByRole("searchbox", { name: t("documents.filter.text") }).fill("");
    await page.getByRole("button", { name: t("documents.filter.tags"), exact: true }).click();
    const states = page.getByRole("group", { name: "under review" });
    await states.getByRole("button", { name: t("documents.tagState.any.short"), exact: true }).click();
    await page.keyboard.press("Escape");
    await page.waitForURL(/tags=.*under/);
    await page.reload();
    await row.waitFor();
    expect(await page.locator("tbody tr").count()).toBe(tagged.length);

    await page.getByLabel(t("documents.selectPage")).check();
    await changeTags(desk, "untag", "under review");
    await page.getByText(t("documents.nothing.title")).waitFor();
  });

  test("filters by what is clicked in a row, and the filters can be removed", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/documents");
    const row = page.getByRole("row").filter({ hasText: "Travel and Expenses Policy" });
    const rows = page.locator("table[aria-busy=false] tbody tr");
    const remove = (condition: string) =>
      page.getByRole("button", { name: t("documents.filter.remove", { condition }) });
    await row.getByRole("link", { name: t("documents.filterBy.tag", { name: "policy" }) }).click();
    await page.waitForURL(/allTags=.*policy/);
    await remove(t("documents.tagState.all.long", { name: "policy" })).waitFor();
    await row.getByRole("link", { name: t("documents.filterBy.collection", { name: "Bank policies" }) }).click();
    await row.getByRole("link", { name: t("documents.filterBy.type", { name: "PDF" }) }).click();
    await page.waitForURL(/allTags=.*collections=.*types=/);
    await expect.poll(() => rows.count()).toBe(2);
    await remove("Bank policies").click();
    await page.waitForURL((url) => !url.searchParams.has("collections"));
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(2);
  });

  test("shows the columns that were chosen, until they are reset", async ({ open }) => {
    const desk = await open({ width: 1440, height: 900 });
    const { page, t } = desk;
    await desk.go("/documents?q=policy.pdf");
    const menu = page.getByRole("button", { name: t("documents.columns.choose") });
    const heads = () => page.getByRole("columnheader").allTextContents();
    await menu.press("Enter");
    await page.getByRole("menuitemcheckbox", { name: t("documents.columns.name.updated") }).press("Enter");
    await page.getByRole("menuitemcheckbox", { name: t("documents.columns.name.size") }).press("Enter");
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.reload();
    await page.locator("tbody tr").first().waitFor();
    expect(await heads()).toContain(t("documents.column.updated"));
    expect(await heads()).not.toContain(t("documents.column.size"));

    await menu.press("Enter");
    await page.getByRole("menuitem", { name: t("documents.columns.reset") }).press("Enter");
    await expect.poll(heads).toContain(t("documents.column.size"));
    expect(await heads()).not.toContain(t("documents.column.updated"));
  });

  test("shows first pages, and the type of a file that has no picture of one", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/documents?tags=handbook&tags=aml");
    await page.getByRole("button", { name: t("documents.grid.show") }).click();
    const card = (title: string) => page.locator("li[data-document]").filter({ hasText: title });
    await card("Anti-Money Laundering").locator("[data-state=shown]").waitFor();
    await card("Employee Handbook").getByText("MD", { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.reload();
    await card("Employee Handbook").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/documents\/[0-9a-f-]+$/);
  });

  test("takes a document to the trash and back", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    const [notice] = await documentsNamed(stack, "avviso-chiusura");
    await desk.go("/documents?q=avviso-chiusura");
    const row = page.getByRole("row").filter({ hasText: "avviso-chiusura-ponte.txt" });
    await row.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menuitem", { name: t("documents.toTrash") }).click();
    await row.waitFor({ state: "hidden" });
    expect(await documentsNamed(stack, "avviso-chiusura")).toEqual([]);
    await desk.go(`/documents/${notice?.id}?panel=ask`);
    await page.getByText(t("reader.askTrashed")).waitFor();

    await desk.go("/trash");
    await page
      .getByRole("button", { name: /^Restore / })
      .first()
      .click();
    await expect.poll(() => documentsNamed(stack, "avviso-chiusura"), { timeout: 60_000 }).toHaveLength(1);
  });

  test("keeps the focus when a document leaves the trash", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    const names = ["lobster.txt", "mussel.txt", "oyster.txt"];
    for (const name of names) {
      await ask(stack, `/documents?filename=${name}`, { method: "POST", body: name });
      const [document] = await documentsNamed(stack, name);
      await ask(stack, `/documents/${document?.id}`, { method: "DELETE" });
    }
    await desk.go("/trash");
    const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
    const titleOf = (name: string) => row(name).getByRole("link");
    const hasFocus = (name: string) => expect.poll(() => titleOf(name).evaluate((it) => it === document.activeElement));
    await row("oyster.txt")
      .getByRole("button", { name: t("trash:restoreOne", { title: "oyster.txt" }) })
      .press("Enter");
    await row("oyster.txt").waitFor({ state: "detached" });
    await hasFocus("mussel.txt").toBe(true);
    await row("mussel.txt")
      .getByRole("button", { name: t("trash:purgeOne", { title: "mussel.txt" }) })
      .press("Enter");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: t("trash:purge") })
      .press("Enter");
    await row("mussel.txt").waitFor({ state: "detached" });
    await hasFocus("lobster.txt").toBe(true);
    await titleOf("lobster.txt").press("Enter");
    await page.getByText(t("document.trashed")).waitFor();
    await page.getByRole("button", { name: t("trash:restore"), exact: true }).press("Enter");
    await page.getByText(t("document.trashed")).waitFor({ state: "hidden" });
    await page.locator("#content:focus").waitFor();
  });
});

describe("searching", () => {
  test("follows the words and the filters, and all of it stands in the address", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/search");
    await page.getByRole("searchbox", { name: t("search.query") }).fill("customer due diligence");
    const hits = page.locator("ol > li");
    await hits.filter({ hasText: "Anti-Money Laundering" }).first().waitFor();

    await page.getByRole("button", { name: t("search.filters") }).click();
    const tags = page.getByLabel(t("search.anyTag")).and(page.locator("input"));
    await tags.fill("handbook");
    await page.getByRole("option", { name: "handbook" }).first().click();
    await hits.filter({ hasText: "Employee Handbook" }).first().waitFor();
    await hits.filter({ hasText: "Anti-Money Laundering" }).first().waitFor({ state: "hidden" });
    await page.waitForURL(/q=customer.*tags=.*handbook/);

    await page.reload();
    await hits.filter({ hasText: "Employee Handbook" }).first().waitFor();
    expect(await hits.filter({ hasNotText: "Employee Handbook" }).count()).toBe(0);
  });

  test("starts with examples from the library, and so does asking", async ({ open, stack }) => {
    // examples come from the newest documents: earlier tests may have left only some without headings
    const body = "# Bicycle shed\n\n## Keys of the bicycle shed\n\nThe porter keeps the keys of the bicycle shed.\n";
    await ask(stack, "/documents?filename=bicycle-shed.md", { method: "POST", body });
    await expect
      .poll(async () => (await documentsNamed(stack, "bicycle-shed")).map(({ status }) => status), { timeout: 120_000 })
      .toEqual(["ready"]);
    const desk = await open({ size: "phone" });
    const { page, t } = desk;
    const examples = page.getByRole("region", { name: t("search.examples") });
    await desk.go("/search");
    const example = examples.getByRole("link").first();
    const words = await example.innerText();
    await example.click();
    expect(await page.getByRole("searchbox", { name: t("search.query") }).inputValue()).toBe(words);
    await page.locator("ol > li").filter({ hasText: words }).first().waitFor();

    await desk.go("/ask");
    const question = await examples.getByRole("link").first().innerText();
    expect(question).toContain(words);
    await examples.getByRole("link").first().click();
    await page.getByRole("heading", { name: question }).waitFor();
    await page.getByRole("button", { name: t("ask:copy") }).waitFor();
  });

  test("shows the hits of one document that follow each other under one title", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    const [handbook] = await documentsNamed(stack, "employee-handbook");
    await desk.go(`/search?q=holidays+and+hours&k=4&documents=${encodeURIComponent(JSON.stringify([handbook?.id]))}`);
    const hits = page.locator("ol > li");
    await hits.nth(3).waitFor();
    expect(await hits.filter({ hasText: t("search.grouped", { count: 4 }) }).count()).toBe(1);
    expect(await page.locator("ol > li[data-continued]").count()).toBe(3);
    // each link still names its document and its rank
    await page.getByRole("link", { name: /^3\. Employee Handbook Page 1/ }).click();
    await page.waitForURL(/hit=3/);
  });

  test("opens a hit on its page with the passage in sight", async ({ open }) => {
    const desk = await open();
    const { page } = desk;
    await desk.go("/search?q=enhanced+due+diligence+politically+exposed+persons&tags=aml");
    await page.getByRole("link", { name: /^1\. / }).first().click();
    await page.waitForURL(/\/documents\/[0-9a-f-]+\?.*start=\d+/);
    const mark = page.locator(".lectern-highlights > div:not([data-kind])").first();
    // painted again when the page is drawn in another size: one that is read meanwhile may be gone
    const isInSight = () =>
      mark.evaluate((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && box.top >= 0 && box.bottom <= window.innerHeight;
      });
    await expect.poll(isInSight).toBe(true);
  });

  test("names the actions of a selection on the first page opened, and messages do not cover them", async ({
    open,
  }) => {
    const desk = await open();
    desk.expectComplaint(/422/);
    const { page, t } = desk;
    await desk.go("/documents");
    await page.getByRole("checkbox").nth(1).check();
    const bar = page.getByRole("region", { name: t("documents.bulk.label") });
    await bar.getByRole("button", { name: t("sharing:changeOwner") }).click();
    await page.getByLabel(t("sharing:newOwner")).fill("nobody@example.org");
    await page.keyboard.press("Enter");
    const message = await page.locator(".mantine-Notification-root").boundingBox();
    const place = await bar.boundingBox();
    expect((message?.y ?? 0) + (message?.height ?? 0)).toBeLessThan(place?.y ?? 0);
  });

  test("leaves the list of a phone in sight beside the actions of a selection", async ({ open }) => {
    const desk = await open({ size: "phone", language: "it" });
    const { page, t } = desk;
    await desk.go("/documents");
    await page.getByRole("checkbox").nth(1).check();
    const bar = page.getByRole("region", { name: t("documents.bulk.label") });
    await bar.getByRole("button", { name: t("sharing:changeOwner") }).waitFor();
    const top = (await bar.boundingBox())?.y ?? 0;
    expect((await bar.boundingBox())?.height).toBeLessThan(180);
    for (const box of await page.getByRole("checkbox").all()) {
      // A checkbox half under the bar is too small for axe until it is scrolled.
      const { y = 0, height = 0 } = (await box.boundingBox()) ?? {};
      if (y < top && y + height + 24 > top) {
        await page.evaluate((by) => window.scrollBy(0, by), y + height + 24 - top);
        break;
      }
    }
    expect(await violationsOf(page)).toEqual([]);
  });

  test("says what it refuses in the person's language", async ({ open }) => {
    const desk = await open({ language: "it" });
    desk.expectComplaint(/409 .*\/api\/v1\/tags/);
    const { page, t } = desk;
    await desk.go("/tags");
    await page.getByRole("button", { name: t("tags.new"), exact: true }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("textbox", { name: t("tags.form.name"), exact: true }).fill("aml");
    await form.getByRole("button", { name: t("actions.create"), exact: true }).click();
    await form.getByRole("alert").getByText("Un'altra etichetta ha già questo nome.").waitFor();
  });
});

async function changeTags({ page, t }: Desk, action: "tag" | "untag", name: string): Promise<void> {
  const bar = page.getByRole("region", { name: t("documents.bulk.label") });
  await bar.getByRole("button", { name: t(`documents.bulk.${action}`), exact: true }).click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByLabel(t(`documents.bulk.${action}Label`)).and(page.locator("input"));
  await field.fill(name);
  await field.press("Enter");
  await field.blur();
  await dialog.getByRole("button", { name: t(`documents.bulk.${action}`), exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
}
