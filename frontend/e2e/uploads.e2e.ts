import { describe } from "vitest";
import { documentsNamed } from "./support/api";
import { type Desk, expect, test } from "./support/desk";
import { slowDown } from "./support/network";
import { isReady, lineOf, upload } from "./support/uploading";

const PASSWORD = "lantern-4711";

describe("uploading", () => {
  test("several files shows each one's way until it can be searched, under the tags given", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/documents");
    await recordTray(desk);
    const names = ["privacy-copy.pdf", "catalogue-copy.pdf", "light.pdf"];
    await upload(desk, names, { tags: ["spring", "policy"] });
    for (const name of names) await isReady(desk, name);

    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    const underWay = (["waiting", "sending", "storing"] as const).map((state) =>
      t(`uploads.state.${state}`, { percent: "" }),
    );
    const beingRead = ["queued", "processing", "extract", "chunk", "index", "embed"] as const;
    const steps = [...underWay, ...beingRead.map((state) => t(`documents.status.${state}`, { percent: "" }))];
    expect(seen.filter((line) => steps.some((step) => line.includes(step.trim())))).not.toEqual([]);

    const [document] = await documentsNamed(stack, "Privacy as we practise it");
    expect(document).toMatchObject({ status: "ready", tags: ["policy", "spring"] });
    const row = page.getByRole("row").filter({ hasText: "Privacy as we practise it" });
    await row.getByText("spring", { exact: true }).waitFor();
  });

  test("the tray covers no row that gets the focus", async ({ open }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/documents");
    await upload(desk, ["light.pdf"]);
    const links = page.locator("main tbody a[data-opens]");
    await links.first().focus();
    const tray = page.getByRole("region", { name: t("uploads.title") });
    const top = async () => (await tray.boundingBox())?.y ?? 0;
    const bottom = () =>
      page.evaluate(() => document.activeElement?.closest("tr")?.getBoundingClientRect().bottom ?? 0);
    for (const link of (await links.all()).slice(1)) {
      await page.keyboard.press("j");
      await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await bottom()).toBeLessThanOrEqual(await top());
    }
  });

  test("a file that is here already says so, adds its tags and doubles nothing", async ({ open, stack }) => {
    const desk = await open();
    await desk.go("/documents");
    await upload(desk, ["light.pdf"]);
    await isReady(desk, "light.pdf");
    await desk.page.getByRole("button", { name: desk.t("uploads.clearDone") }).click();
    await upload(desk, ["light.pdf"], { tags: ["seen twice"] });

    const line = lineOf(desk, "light.pdf");
    await line.getByText(desk.t("uploads.duplicateTagged", { tags: "seen twice" })).waitFor();
    const documents = await documentsNamed(stack, "A light file");
    expect(documents).toHaveLength(1);
    expect(documents[0]?.tags).toContain("seen twice");
  });

  test("a file with a known name becomes a version of its document if the dialog says so", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    const name = "minutes-of-may.txt";
    await desk.go("/documents");
    for (const text of ["The first minutes.", "The second minutes."]) {
      const chooser = page.waitForEvent("filechooser");
      await page
        .getByRole("button", { name: t("uploads.choose") })
        .first()
        .click();
      await (await chooser).setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
      const dialog = page.getByRole("dialog", { name: t("uploads.dialog.title") });
      await dialog.getByLabel(t("uploads.dialog.newVersion")).check();
      await dialog.getByRole("button", { name: t("uploads.dialog.send", { count: 1 }) }).click();
      await dialog.waitFor({ state: "hidden" });
      await lineOf(desk, name).last().getByText(t("documents.status.ready"), { exact: true }).waitFor();
    }
    await lineOf(desk, name).getByText(t("uploads.newVersion")).waitFor();
    expect(await documentsNamed(stack, name)).toHaveLength(1);
    await expect.poll(async () => (await documentsNamed(stack, name))[0]?.version).toBe(2);
  });

  test("a locked file asks for its password, says when it is wrong and reads the file with it", async ({
    open,
    stack,
  }) => {
    const desk = await open({ language: "it" });
    const { page, t } = desk;
    await desk.go("/documents");
    await upload(desk, ["locked.pdf"]);
    const line = lineOf(desk, "locked.pdf");

    await line.getByText(t("documents.failure.encrypted.label")).waitFor();
    for (const password of ["not this one", PASSWORD]) {
      await line.getByRole("button", { name: t("documents.password.enter") }).click();
      await page.getByLabel(t("documents.password.label", { filename: "locked.pdf" })).fill(password);
      await page.getByRole("button", { name: t("documents.password.send") }).click();
      await page.getByRole("button", { name: t("documents.password.send") }).waitFor({ state: "hidden" });
      if (password === PASSWORD) continue;
      await page.getByText(t("documents.password.wrong", { filename: "locked.pdf" })).waitFor();
      await line.getByText(t("documents.failure.encrypted.label")).waitFor();
    }
    await isReady(desk, "locked.pdf");

    const [document] = await documentsNamed(stack, "locked.pdf");
    await desk.go(`/search?q=anchor&documents=${document?.id}`);
    await page
      .getByRole("img", { name: t("search.thumbnailLocked") })
      .first()
      .waitFor();
  });

  test("a locked file is read and shown with one password, asked for once", async ({ open, stack }) => {
    const desk = await open();
    const { page, t } = desk;
    await desk.go("/documents");
    await upload(desk, ["sealed.pdf"]);
    await lineOf(desk, "sealed.pdf").getByText(t("documents.failure.encrypted.label")).waitFor();
    const [sealed] = await documentsNamed(stack, "sealed.pdf");
    await desk.go(`/documents/${sealed?.id}`);
    const main = page.locator("main");
    const unlocking = { name: t("documents.password.enter") };
    const inTray = page.getByRole("region", { name: t("uploads.title") }).getByRole("button", unlocking);
    for (const password of ["not this one", PASSWORD]) {
      const field = main.getByLabel(t("document.locked.password")).and(page.locator("input"));
      await main.getByRole("button", { name: t("documents.password.send") }).click();
      await expect.poll(() => field.evaluate((element) => element.matches(":focus:invalid"))).toBe(true);
      await field.fill(password);
      expect((await main.getByRole("button", unlocking).count()) - (await inTray.count())).toBe(1);
      await main.getByRole("button", { name: t("documents.password.send") }).click();
      if (password === PASSWORD) continue;
      await main.getByText(t("document.locked.wrong")).waitFor();
      await expect.poll(() => field.evaluate((element) => element.matches(":focus"))).toBe(true);
    }
    await page.locator(".pdfViewer .page[data-loaded=true]").first().waitFor();
    await expect.poll(() => page.locator(".lectern-viewer-container:focus").count()).toBe(1);
    await expect.poll(async () => (await documentsNamed(stack, "sealed.pdf"))[0]?.status).toBe("ready");
    await main.getByText(t("documents.failure.encrypted.label")).waitFor({ state: "hidden" });
    expect(await page.locator(".pdfViewer .page[data-loaded=true]").count()).toBeGreaterThan(0);
  });

  test("a scan is read, or told in plain words with what to do about it", async ({ open, stack }) => {
    const desk = await open();
    const { t } = desk;
    await desk.go("/documents");
    await upload(desk, ["scan.pdf"]);

    const line = lineOf(desk, "scan.pdf");
    const ready = line.getByText(t("documents.status.ready"), { exact: true });
    await ready.or(line.getByText(t("documents.failure.no_text.label"))).waitFor();
    const [document] = await documentsNamed(stack, "scan.pdf");
    if (document?.status === "ready") return; // the machine can read pictures
    expect(document?.error?.code).toBe("no_text");
    await line.getByText(t("documents.failure.no_text.remedy")).waitFor();
  });

  test("goes on after a reload with the file chosen once more, under what was said about it", async ({
    open,
    stack,
  }) => {
    const desk = await open();
    const { page, t } = desk;
    page.on("dialog", (dialog) => void dialog.accept());
    await desk.go("/documents");
    const speedUp = await slowDown(page, 30_000);
    await upload(desk, ["heavy.pdf"], { tags: ["slow boat"] });
    await lineOf(desk, "heavy.pdf").getByRole("progressbar").waitFor();
    await page.reload();

    await lineOf(desk, "heavy.pdf").getByText(t("uploads.state.lost")).waitFor();
    await speedUp();
    const chooser = page.waitForEvent("filechooser");
    await lineOf(desk, "heavy.pdf")
      .getByRole("button", { name: t("uploads.chooseAgain") })
      .click();
    await (await chooser).setFiles(`${stack.documents}/heavy.pdf`);
    await isReady(desk, "heavy.pdf");
    const documents = await documentsNamed(stack, "A heavy file");
    expect(documents.map(({ tags }) => tags)).toEqual([["slow boat"]]);
  });
});

/** Keep every text that the tray ever showed. */
async function recordTray({ page, t }: Desk): Promise<void> {
  await page.evaluate((label) => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      for (const line of document.querySelectorAll(`section[aria-label="${label}"] li`)) {
        seen.push(line.textContent ?? "");
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  }, t("uploads.title"));
}
