import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "vitest";
import type { components } from "../src/lib/api/schema";
import { ask, documentsNamed } from "./support/api";
import { expect, test } from "./support/desk";
import { slowDown } from "./support/network";
import { REPOSITORY } from "./support/stack";

type Versions = components["schemas"]["Page_VersionResponse_"];

const NAME = "rules-of-the-quay.md";
const handbook = await readFile(join(REPOSITORY, "test-docs", "documents", "employee-handbook.md"), "utf-8");
/** The sample handbook under another title, with a last rule of its own. */
const text = (rule: string) => `${handbook.replace(/^# .*$/m, "# Rules of the quay")}\n\n## The last rule\n\n${rule}\n`;
const FIRST = "Whoever leaves the quay last puts out the copper lantern and hangs the key beside the green ledger.";
const SECOND = "Whoever comes to the quay first lights the copper lantern and writes the hour into the green ledger.";
const PATIENT = { timeout: 90_000 };
const file = (content: string) => ({ name: NAME, mimeType: "text/markdown", buffer: Buffer.from(content) });

describe("a document", () => {
  test("gets a new version that keeps the passages that stayed, and its older one back", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    await ask(stack, `/documents?filename=${NAME}`, {
      method: "POST",
      body: text(FIRST),
    });
    const find = async () => (await documentsNamed(stack, NAME))[0];
    await expect.poll(async () => (await find())?.status, PATIENT).toBe("ready");
    const document = await find();
    const versions = async () =>
      (await ask<Versions>(stack, `/documents/${document?.id}/versions`)).items.map(({ number, state }) => [
        number,
        state,
      ]);

    await desk.go(`/documents/${document?.id}?panel=info&part=versions`);
    const list = page.getByRole("list", { name: t("versions.label") });
    const card = (number: number) => list.getByRole("listitem").filter({ hasText: t("versions.number", { number }) });
    await card(1).getByText(t("versions.state.current")).waitFor();
    await page
      .locator("input[type=file]")
      .last()
      .setInputFiles(file(text(SECOND)));
    await card(2).getByText(t("versions.state.current")).waitFor();
    await card(2)
      .getByText(/^Passages: [1-9]\d* unchanged, [1-9]\d* added, [1-9]\d* removed$/)
      .waitFor();
    await page.getByText(SECOND).first().waitFor();
    expect(await versions()).toEqual([
      [2, "current"],
      [1, "replaced"],
    ]);

    await card(1)
      .getByRole("button", { name: t("versions.restore", { number: 1 }) })
      .click();
    await card(3).getByText(t("versions.state.current")).waitFor();
    await card(3)
      .getByText(t("versions.restoredFrom", { number: 1 }))
      .waitFor();
    await page.getByText(FIRST).first().waitFor();
    const download = page.waitForEvent("download");
    await card(2)
      .getByRole("link", { name: t("versions.download", { number: 2 }) })
      .click();
    expect((await download).suggestedFilename()).toBe(NAME);
  });

  test("tells how much of a new version has been sent, also to who looked elsewhere meanwhile", async ({
    open,
    stack,
  }) => {
    const desk = await open();
    const { page, t } = desk;
    const [document] = await documentsNamed(stack, NAME);
    await desk.go(`/documents/${document?.id}?panel=info&part=versions`);
    const sending = page.getByRole("progressbar", { name: /^Uploading \d+%$/ });
    await slowDown(page, 100_000);
    const buffer = Buffer.concat([Buffer.from("# Long\n"), Buffer.alloc(4_000_000, "word ")]);
    await page.locator("input[type=file]").last().setInputFiles({ name: "long.md", mimeType: "text/markdown", buffer });
    const percent = async () => Number(await sending.getAttribute("aria-valuenow"));
    await expect.poll(percent, PATIENT).toBeGreaterThan(5);
    await page.getByRole("button", { name: t("document.part.details") }).click();
    await page.getByRole("button", { name: t("document.part.versions") }).click();
    await sending.waitFor();
    await page.getByRole("button", { name: `${t("actions.cancel")}: long.md` }).click();
    await page.getByRole("button", { name: t("versions.upload") }).waitFor();
    const { items } = await ask<Versions>(stack, `/documents/${document?.id}/versions`);
    expect(items.map(({ filename }) => filename)).not.toContain("long.md");
  });

  test("names those that say nearly the same", async ({ open, stack }) => {
    const name = "rules-of-the-pier.md";
    const like = text("Nobody coils a wet rope.");
    await ask(stack, `/documents?filename=${name}`, { method: "POST", body: like });
    await expect.poll(async () => (await documentsNamed(stack, name))[0]?.status, PATIENT).toBe("ready");
    const [original] = await documentsNamed(stack, NAME);
    const { page, t, go } = await open().then((desk) => ({
      page: desk.page,
      t: desk.t,
      go: desk.go.bind(desk),
    }));
    await go(`/documents/${original?.id}?panel=info&part=copies`);
    const copy = page.getByRole("listitem").filter({ hasText: name });
    await copy.getByText(t("copies.near")).waitFor();
    await copy.getByRole("link").click();
    await page.getByText(name).first().waitFor();
  });
});
