import { describe } from "vitest";
import { expect, test } from "./support/desk";
import { isReady } from "./support/uploading";

const WORKER = "/share-worker.js";

describe("the installed app", () => {
  test("has a manifest without errors, and icons of the sizes that it names", async ({ open }) => {
    const { page, stack } = await open();
    await page.goto(`${stack.url}/documents`);
    const session = await page.context().newCDPSession(page);
    const { url, errors, data = "" } = await session.send("Page.getAppManifest");
    expect(url).toBe(`${stack.url}/manifest.webmanifest`);
    expect(errors).toEqual([]);
    const { icons } = JSON.parse(data) as { icons: { src: string; sizes: string }[] };
    for (const { src, sizes } of icons.filter(({ src }) => src.endsWith(".png"))) {
      const size = await page.evaluate(async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      expect(size).toBe(sizes);
    }
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    // a test window is private, and such windows install nothing
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
  });

  test("takes shared files to the upload tray, and keeps nothing of them", async ({ open }) => {
    const desk = await open({ hasWorkers: true });
    const { page, t } = desk;
    await desk.go("/documents");
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
    await page.evaluate(async () => {
      window.dispatchEvent(new Event("appinstalled"));
      await navigator.serviceWorker.ready;
    });
    await page.waitForFunction((path) => navigator.serviceWorker.controller?.scriptURL.endsWith(path), WORKER);

    await page.evaluate(() => {
      const transfer = new DataTransfer();
      transfer.items.add(
        new File(["# Shared\n\nThe heron waits at the weir."], "heron è.md", { type: "text/markdown" }),
      );
      const form = document.createElement("form");
      Object.assign(form, { action: "/share", method: "post", enctype: "multipart/form-data" });
      const input = Object.assign(document.createElement("input"), { type: "file", name: "files" });
      input.files = transfer.files;
      form.append(input);
      document.body.append(form);
      form.submit();
    });
    const dialog = page.getByRole("dialog", { name: t("uploads.dialog.title") });
    await dialog.getByText("heron è.md").waitFor();
    expect(new URL(page.url()).pathname).toBe("/documents");
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
    await dialog.getByRole("button", { name: t("uploads.dialog.send", { count: 1 }) }).click();
    await isReady(desk, "heron è.md");
  });

  test("offers the camera on a phone", async ({ open }) => {
    const desk = await open({ size: "phone" });
    const { page, t } = desk;
    await desk.go("/documents");
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: t("uploads.camera") }).click();
    const input = (await chooser).element();
    expect(await input.getAttribute("capture")).toBe("environment");
    expect(await input.getAttribute("accept")).toBe("image/*");
  });
});
