import { describe } from "vitest";
import { ask, documentsNamed } from "./support/api";
import { expect, test } from "./support/desk";
import { matrix } from "./support/matrix";

const NAME = `${"minutes_of_the_meeting_of_the_shareholders_".repeat(4)}v12.md`;
const TAG = "enhanced due diligence of customers that are companies";

const READING = { timeout: 90_000 };

describe("a name without a blank, and a long tag", () => {
  for (const size of matrix(["phone", "desktop"] as const)) {
    test(`leave every page as wide as the window on a ${size}`, async ({ open, stack }) => {
      const upload = new URLSearchParams({ filename: NAME, tags: TAG });
      await ask(stack, `/documents?${upload}`, {
        method: "POST",
        body: `# ${NAME}\n\nThe meeting was brief.`,
      });
      await expect.poll(async () => (await documentsNamed(stack, NAME))[0]?.status, READING).toBe("ready");
      const [document] = await documentsNamed(stack, NAME);
      const desk = await open({ size });
      const { page } = desk;
      const found: string[] = [];
      const scope = encodeURIComponent(JSON.stringify([document?.id]));
      const paths = ["/documents", "/jobs?state=done", `/documents/${document?.id}`, "/search?q=brief meeting"];
      for (const path of [...paths, `/ask?documents=${scope}`]) {
        await page.goto(`${stack.url}${path}`);
        await page.locator("main").getByText("minutes_of_the_meeting").first().waitFor();
        const outside = await page.locator("main").evaluate(
          (main) =>
            [...main.querySelectorAll("*")].filter(
              // slides scroll, and a part of a page is cut out of the whole one
              (part) =>
                !part.closest("[data-slides], a[data-state] > *") &&
                part.getBoundingClientRect().right > window.innerWidth + 1,
            ).length,
        );
        if (outside > 0) found.push(`${path}: ${outside}`);
      }
      await ask(stack, `/documents/${document?.id}`, { method: "DELETE" });
      expect(found).toEqual([]);
    });

    test(`leave the buttons of the upload dialog in view on a ${size}`, async ({ open }) => {
      const desk = await open({ size });
      const { page, t } = desk;
      await desk.go("/documents");
      const chooser = page.waitForEvent("filechooser");
      await page
        .getByRole("button", { name: t("uploads.choose") })
        .first()
        .click();
      const [name, other] = [`${"x".repeat(220)}.txt`, "short.txt"];
      const files = [name, other].map((filename) => ({
        name: filename,
        mimeType: "text/plain",
        buffer: Buffer.from(filename),
      }));
      await (await chooser).setFiles(files);
      for (const filename of [name, other]) {
        const button = page.getByRole("button", { name: t("uploads.dialog.remove", { filename }) });
        const box = await button.boundingBox();
        const dialog = await page.getByRole("dialog").boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan((dialog?.x ?? 0) + (dialog?.width ?? 0));
      }
    });
  }
});
