import { describe, expect, inject, test } from "vitest";
import { type EngineWindow, openFirefox, openWebKit } from "./support/engines";

const ENGINES: Record<string, () => Promise<EngineWindow>> = { Firefox: openFirefox, WebKit: openWebKit };
const QUERY = "When must a customer's identity be verified?";
const PATIENCE = { timeout: 90_000, interval: 250 };
/** The size of the first mark, and whether it is on its page and in sight. */
const LOOK_AT_MARK = `(() => {
  const mark = document.querySelector(".lectern-highlights > div:not([data-kind])")?.getBoundingClientRect();
  const page = document.querySelector(".pdfViewer .page[data-loaded=true] canvas")?.getBoundingClientRect();
  if (!mark || !page) return null;
  return {
    width: mark.width,
    height: mark.height,
    isOnPage: mark.left >= page.left && mark.right <= page.right,
    isInSight: mark.top >= 0 && mark.bottom <= innerHeight,
  };
})()`;

describe.each(Object.keys(ENGINES))("in %s", (name) => {
  test("somebody signs in, reads the documents, searches, and opens a hit at its mark", async () => {
    const stack = inject("stack");
    const window = await (ENGINES[name] as () => Promise<EngineWindow>)();
    try {
      const count = (selector: string) =>
        window.evaluate<number>(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
      const see = (selector: string) => expect.poll(() => count(selector), PATIENCE).toBeGreaterThan(0);
      await window.go(`${stack.url}/documents`);
      await see("input[type=password]");
      await window.type("input[type=email]", stack.email);
      await window.type("input[type=password]", stack.password);
      await window.click("button[type=submit]");
      await expect
        .poll(() => window.evaluate<string>("document.querySelector('main')?.innerText ?? ''"), PATIENCE)
        .toContain("aml-kyc-policy");

      await window.go(`${stack.url}/search?q=${encodeURIComponent(QUERY)}`);
      await see("main li blockquote mark");
      await window.click("main li a[href*='/documents/']");
      await expect
        .poll(() => window.evaluate(LOOK_AT_MARK), PATIENCE)
        .toMatchObject({ isOnPage: true, isInSight: true });
      const mark = await window.evaluate<{ width: number; height: number }>(LOOK_AT_MARK);
      expect(mark.width).toBeGreaterThan(40);
      expect(mark.height).toBeGreaterThan(6);

      await window.go(`${stack.url}/ask?q=${encodeURIComponent(QUERY)}`);
      await see(".lectern-highlights > div");
      expect(window.complaints).toEqual([]);
    } finally {
      await window.close();
    }
  });
});
