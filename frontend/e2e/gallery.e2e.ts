// Pictures of the documentation: `npm run screenshots` writes all of them. The suite takes those of a fresh library again
// and compares. What is prepared for the others would change these.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "vitest";
import { LIBRARY } from "./scenes/library";
import { prepare } from "./scenes/prepare";
import { READING } from "./scenes/reading";
import { ask } from "./support/api";
import { type Desk, expect, SIZES, test } from "./support/desk";
import { matrix } from "./support/matrix";
import { asWebp, differingShare, openTable } from "./support/pixels";
import { type Screen, still } from "./support/screens";
import { REPOSITORY, type Stack } from "./support/stack";

const IS_WRITTEN = process.env.LECTERN_E2E_GALLERY === "write";
const GALLERY = join(REPOSITORY, "docs", "images", "gallery");
const FRESH = join(REPOSITORY, ".lectern", "e2e", "gallery");
/** Share of the blocks of a picture that may differ: other machines draw letters a little differently. */
const TOLERANCE = 0.004;
/** A page has this long to show its picture: no wait can name all that is drawn late. */
const LATE_MS = 5_000;
const SCHEMES = ["light", "dark"] as const;
const MANY_MS = 1_200_000;
const DAYS_LATER_MS = 5 * 24 * 3_600_000;
const QUESTION = "For how many years are records kept after the end of the relationship?";
const TABLE_QUESTION = "How long are camera images kept?";

interface Documents {
  items: { created_at: string }[];
}
interface Found {
  data: { document_id: string; page_number: number; snippet: { char_start: number; char_end: number } }[];
}
interface Answers {
  items: { question: string; thread_id: string }[];
}

const seen = (selector: string) => async (desk: Desk) => {
  await desk.page.locator(selector).filter({ visible: true }).first().waitFor();
};
/** The mark of the sentence, which is drawn after the wash around its passage. */
const DRAWN = ".pdfViewer .page[data-loaded=true] .lectern-highlights > div:not([data-kind])";
const settle = seen("main");

/** The pages of a fresh library. */
async function comparedScreens(stack: Stack): Promise<Screen[]> {
  const post = <Answer>(path: string, body: unknown) =>
    ask<Answer>(stack, path, { method: "POST", body: JSON.stringify(body) });
  await ask(stack, "/answers?confirm=true", { method: "DELETE" });
  for (const question of [QUESTION, TABLE_QUESTION]) await post("/answers", { question });
  const { items } = await ask<Answers>(stack, "/answers");
  const thread = items.find(({ question }) => question === TABLE_QUESTION)?.thread_id ?? "";
  const [hit] = (await post<Found>("/search", { query: QUESTION, top_k: 1 })).data;
  const { char_start: start = 0, char_end: end = 0 } = hit?.snippet ?? {};
  const place = new URLSearchParams({ page: String(hit?.page_number), start: String(start), end: String(end) });
  return [
    { name: "home", path: "/", settle: seen("main [data-state=shown]") },
    { name: "documents", path: "/documents", settle: seen("main input[type=checkbox]") },
    { name: "document", path: `/documents/${hit?.document_id}?${place}`, settle: seen(DRAWN) },
    { name: "search", path: `/search?q=${encodeURIComponent(QUESTION)}`, settle: seen("li a[data-state=shown]") },
    { name: "ask", path: `/ask?thread=${thread}`, settle: seen(DRAWN) },
    ...["tags", "collections"].map((name) => ({ name, path: `/${name}`, settle })),
  ];
}

/** Scenes of the library and of reading that are in the gallery too. */
const SHOWN = ["search-notes", "reader-thread", "share-document", "share-tag", "shared-with-me"];
const SCENES: Screen[] = [...READING, ...LIBRARY]
  .filter(({ name }) => SHOWN.includes(name))
  .map(({ name, path, act }) => ({ name, path, settle: async (desk) => void (await act?.(desk)) }));

/** Pages whose contents differ from day to day. They are written, and not compared. */
const OTHERS: Screen[] = [
  ...["jobs", "trash", "keys", "security", "golden", "users", "sign-in-settings"],
  ...["webhooks", "activity", "system"],
].map((name) => ({ name, path: `/${name}`, settle }));

describe("the gallery", () => {
  // one or the other: CI accepts no skipped test
  if (IS_WRITTEN) {
    test("is written", { timeout: MANY_MS }, async ({ open, stack }) => {
      await mkdir(GALLERY, { recursive: true });
      const write = async (name: string, take: () => Promise<Buffer>) => writeFile(join(GALLERY, name), await take());
      const compared = await comparedScreens(stack);
      for (const size of ["desktop", "phone"] as const) await photograph(await open({ size }), compared, write);
      await prepare(stack);
      for (const size of ["desktop", "phone"] as const) {
        await photograph(await open({ size }), OTHERS, write);
        await photograph(await open({ size }), SCENES, write);
        const signIn = { name: "sign-in", path: "/sign-in", settle };
        const outside = await open({ size, isSignedIn: false });
        outside.expectComplaint(/401 \(Unauthorized\)/);
        await photograph(outside, [signIn], write);
      }
    });
  } else {
    test("shows the pages as they are", { timeout: MANY_MS }, async ({ open, stack }) => {
      await mkdir(FRESH, { recursive: true });
      const compared = await comparedScreens(stack);
      const differing: string[] = [];
      for (const size of matrix(["desktop", "phone"] as const)) {
        const desk = await open({ size });
        const table = await openTable(desk.page);
        const compare = async (name: string, take: () => Promise<Buffer>) => {
          const meant = await readFile(join(GALLERY, name));
          const deadline = Date.now() + LATE_MS;
          for (;;) {
            const picture = await take();
            const share = await differingShare(table, picture, meant);
            if (share <= TOLERANCE) return;
            if (Date.now() < deadline) continue;
            differing.push(`${name}: ${share.toFixed(4)}`);
            return writeFile(join(FRESH, name), picture);
          }
        };
        await photograph(desk, compared, compare, matrix(SCHEMES));
        await table.context().close();
      }
      await ask(stack, "/answers?confirm=true", { method: "DELETE" });
      expect(differing, `see ${FRESH}, and \`npm run screenshots\` if the change is meant`).toEqual([]);
    });
  }
});

/** Take pictures of the screens in the schemes, some days after the last document was added. */
async function photograph(
  desk: Desk,
  screens: Screen[],
  use: (name: string, take: () => Promise<Buffer>) => Promise<void>,
  schemes: readonly (typeof SCHEMES)[number][] = SCHEMES,
) {
  const { page, stack } = desk;
  const { items } = await ask<Documents>(stack, "/documents?limit=200");
  const last = Math.max(...items.map(({ created_at }) => Date.parse(created_at)));
  await page.clock.setFixedTime(last + DAYS_LATER_MS);
  const table = await openTable(page);
  const size = page.viewportSize()?.width === SIZES.phone.width ? "phone" : "desktop";
  for (const { name, path, settle: settled } of screens) {
    await desk.go(path);
    await settled?.(desk);
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
      await page.evaluate(() => document.fonts.ready);
      await still(desk);
      await use(`${name}-${size}-${scheme}.webp`, async () =>
        asWebp(table, await page.screenshot({ animations: "disabled", caret: "hide" })),
      );
    }
  }
  await table.context().close();
}
