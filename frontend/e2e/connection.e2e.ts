import { describe } from "vitest";
import { documentsNamed } from "./support/api";
import { expect, test } from "./support/desk";
import { slowDown } from "./support/network";
import { pidOfApi, type Stack } from "./support/stack";
import { isReady, lineOf, upload } from "./support/uploading";

// Browsers write every request that fails to the console.
const LOST = /net::ERR_|status of 50[234]|Failed to load resource/;

/** End the API at once, and hold its supervisor so that it stays away until the function returned is called. */
async function killApi(stack: Stack): Promise<() => void> {
  const pid = await pidOfApi(stack);
  process.kill(stack.pid, "SIGSTOP");
  process.kill(pid, "SIGKILL");
  return () => process.kill(stack.pid, "SIGCONT");
}

describe("when the API is killed", () => {
  test("in the middle of an upload, it is said, and the file arrives once when the API is back", async ({
    open,
    stack,
  }) => {
    const desk = await open();
    desk.expectComplaint(LOST);
    const { page, t } = desk;
    await desk.go("/documents");
    const speedUp = await slowDown(page, 100_000);
    await upload(desk, ["ferry.pdf"], { tags: ["crossing"] });
    await lineOf(desk, "ferry.pdf").getByRole("progressbar").waitFor();
    const revive = await killApi(stack);
    try {
      await lineOf(desk, "ferry.pdf").getByText(t("uploads.state.pausing"), { exact: true }).waitFor();
      await page.getByText(t("errors.offline")).waitFor();
    } finally {
      revive();
    }
    await speedUp();

    await isReady(desk, "ferry.pdf");
    await page.getByText(t("errors.offline")).waitFor({ state: "hidden" });
    const documents = await documentsNamed(stack, "A ferry");
    expect(documents.map(({ tags, status }) => ({ tags, status }))).toEqual([{ tags: ["crossing"], status: "ready" }]);
  });

  test("a search that was begun meanwhile is answered when it is back, without a reload", async ({ open, stack }) => {
    const desk = await open();
    desk.expectComplaint(LOST);
    const { page, t } = desk;
    await desk.go("/search");
    await page.evaluate(() => Object.assign(window, { wasNotReloaded: true }));
    const revive = await killApi(stack);
    try {
      await page.getByRole("searchbox", { name: t("search.query") }).fill("customer due diligence");
      await page.getByText(t("errors.offline")).waitFor();
      await page.getByRole("alert").getByText(t("errors.unreachable")).waitFor();
    } finally {
      revive();
    }
    await page.getByText(t("errors.offline")).waitFor({ state: "hidden" });
    await page.locator("ol > li").filter({ hasText: "Anti-Money Laundering" }).first().waitFor();
    expect(await page.evaluate(() => "wasNotReloaded" in window)).toBe(true);
  });

  test("after a file was sent and before it answered, the file is kept once", async ({ open, stack }) => {
    const desk = await open();
    desk.expectComplaint(LOST);
    const { page, t } = desk;
    await desk.go("/documents");
    await page.locator("tbody tr").first().waitFor();
    const api = await pidOfApi(stack);
    process.kill(api, "SIGSTOP"); // it hears nothing, while the system takes the bytes in for it
    await upload(desk, ["skiff.pdf"]);
    await lineOf(desk, "skiff.pdf").getByText(t("uploads.state.storing")).waitFor();
    const revive = await killApi(stack);
    try {
      await lineOf(desk, "skiff.pdf").getByText(t("uploads.state.pausing"), { exact: true }).waitFor();
    } finally {
      revive();
    }

    await isReady(desk, "skiff.pdf");
    expect(await documentsNamed(stack, "A skiff")).toHaveLength(1);
  });
});

describe("when the connection is lost", () => {
  test("it is said for as long as that is so, and what was meant is done afterwards", async ({ open }) => {
    const desk = await open();
    desk.expectComplaint(LOST);
    const { page, t } = desk;
    await desk.go("/documents");
    await page.locator("tbody tr").first().waitFor();
    await page.context().setOffline(true);
    await upload(desk, ["skiff.pdf"]);
    await lineOf(desk, "skiff.pdf").getByText(t("uploads.state.pausing"), { exact: true }).waitFor();
    await page.getByText(t("errors.offline")).waitFor();
    await page.context().setOffline(false);

    await lineOf(desk, "skiff.pdf").getByText(t("uploads.duplicate")).waitFor();
    await page.getByText(t("errors.offline")).waitFor({ state: "hidden" });
  });
});
