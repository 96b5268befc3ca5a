import { ask, documentsNamed } from "./api";
import type { Desk } from "./desk";

/** A screen that is reached by an address, and what shows that it is all there. */
export interface Screen {
  name: string;
  path: string;
  settle?: (desk: Desk) => Promise<void>;
}

const PASSAGE = { page: 3, start: 3_000, end: 3_250 };

/** Every screen of the library: those of the navigation, and those behind them. */
export async function screensOf(desk: Desk): Promise<Screen[]> {
  const { page, stack, t } = desk;
  const paths: string[] = [];
  for (const start of ["/documents", "/keys"]) {
    await desk.go(start);
    const links = page.locator("nav a[href^='/']");
    paths.push(...(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""))));
  }
  const [pdf] = await documentsNamed(stack, "aml-kyc-policy");
  const [markdown] = await documentsNamed(stack, "employee-handbook");
  const [scan] = await documentsNamed(stack, "verbale-collaudo");
  if (!pdf || !markdown || !scan) throw new Error("the sample documents are missing");
  const golden = { query: "When must a customer's identity be verified?", document: pdf.id, page_number: 3 };
  await ask(stack, "/evaluations/golden", { method: "POST", body: JSON.stringify(golden) });
  const passage = new URLSearchParams(Object.entries(PASSAGE).map(([key, value]) => [key, String(value)]));
  const drawn = async () => {
    await page.locator(".pdfViewer .page[data-loaded=true]").first().waitFor();
  };
  return [
    ...[...new Set(paths)].map((path) => ({ name: path.slice(1) || "home", path })),
    {
      name: "search-hits",
      path: `/search?q=${encodeURIComponent("When must a customer's identity be verified?")}`,
      settle: async () => {
        await page.locator("blockquote").first().waitFor();
      },
    },
    ...[
      { name: "ask-answered", question: "How long are records kept after the end of the relationship?" },
      { name: "ask-absent", question: "Who won the football world cup in 1974?" },
    ].map(({ name, question }) => ({
      name,
      path: `/ask?q=${encodeURIComponent(question)}`,
      settle: async () => {
        const copy = page.getByRole("button", { name: t("ask:copy") });
        await copy
          .or(page.getByText(t("ask:outcome.nothing_found")))
          .first()
          .waitFor();
      },
    })),
    {
      name: "golden-tried",
      path: "/golden",
      settle: async () => {
        await page.getByRole("combobox", { name: t("golden:value"), exact: true }).click();
        await page.getByRole("option", { name: t("golden:choices.fusion") }).click();
        await page.getByRole("button", { name: t("golden:try") }).click();
        await page.getByRole("region", { name: t("golden:result") }).waitFor();
        await page.getByRole("list", { name: t("golden:listLabel") }).waitFor();
      },
    },
    { name: "search-nothing", path: "/search?q=zzzzqqqq&tags=aml&semanticOnly=true" },
    { name: "documents-filtered", path: "/documents?tags=policy&status=ready" },
    {
      name: "documents-peek",
      path: "/documents?q=policy.pdf",
      settle: async () => {
        await page.locator("main a[data-opens]").first().waitFor();
        await page.keyboard.press("j");
        await page.keyboard.press("Space");
        await page.getByRole("region", { name: t("documents.peek.title") }).waitFor();
        await page.locator("[data-peek] [data-state=shown]").waitFor();
      },
    },
    { name: "documents-none", path: "/documents?q=nothing-is-called-so" },
    { name: "document", path: `/documents/${pdf.id}?${passage}`, settle: drawn },
    ...["pages", "details", "history", "versions", "copies"].map((part) => ({
      name: `document-${part}`,
      path: `/documents/${pdf.id}?page=3&panel=info&part=${part}`,
      settle: drawn,
    })),
    { name: "ask-history", path: "/ask" },
    { name: "document-markdown", path: `/documents/${markdown.id}` },
    { name: "document-failed", path: `/documents/${scan.id}` },
    {
      name: "upload-dialog",
      path: "/documents",
      settle: async () => {
        const chooser = page.waitForEvent("filechooser");
        await page
          .getByRole("button", { name: t("uploads.choose") })
          .first()
          .click();
        await (await chooser).setFiles(`${stack.documents}/light.pdf`);
        await page.getByRole("dialog").waitFor();
      },
    },
    {
      name: "keys-created",
      path: "/keys",
      settle: async () => {
        await page.getByLabel(t("keys:name"), { exact: false }).first().fill("A support assistant");
        await page.getByRole("button", { name: t("keys:create"), exact: true }).click();
        await page.getByRole("tablist", { name: t("keys:clients") }).waitFor();
      },
    },
    { name: "not-found", path: "/no-such-page" },
  ];
}

/** Open a screen and wait until nothing is on its way any more. Return the place of its title at first, if it has one. */
export async function show(desk: Desk, screen: Screen): Promise<string | null> {
  const { page, t } = desk;
  await page.goto(`${desk.stack.url}${screen.path}`);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  const place = await titlePlace(desk, screen);
  await screen.settle?.(desk);
  await page.waitForFunction(
    (loading) => !document.querySelector(`[role=status][aria-label="${loading}"], [aria-busy=true]`),
    t("states.loading"),
  );
  return place;
}

/** Until nothing is on its way and nothing moves, pictures within the window included. */
export async function still({ page, t }: Desk): Promise<void> {
  await page.waitForFunction(
    (loading) => !document.querySelector(`main [role=status][aria-label="${loading}"], [aria-busy=true]`),
    t("states.loading"),
  );
  await page.waitForFunction(
    () =>
      document.getAnimations().every(({ playState, effect }) => {
        const isEndless = effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY;
        return isEndless || playState !== "running";
      }) &&
      // their frames show them one step after they are complete
      [...document.querySelectorAll("img, [data-state=loading]")].every((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        const isLoaded = one instanceof HTMLImageElement && one.complete;
        return isLoaded || top > window.innerHeight || bottom < 0; // scrolled past before they were asked for
      }),
  );
}

const WITHOUT_HEAD = /^(document(-|$)(?!s)|not-found)/;

/** Return the place of a screen's title, or null for a screen without one. */
export async function titlePlace({ page }: Desk, { name }: Screen): Promise<string | null> {
  if (WITHOUT_HEAD.test(name)) return null;
  const box = await page.getByRole("heading", { level: 1 }).boundingBox();
  return `${Math.round(box?.x ?? 0)},${Math.round(box?.y ?? 0)}`;
}

/** Return the visible texts of a screen with letters below 12 px. */
export const smallTexts = ({ page }: Desk): Promise<string[]> =>
  page.evaluate(() =>
    [...document.body.querySelectorAll("*")]
      .filter((it) => [...it.childNodes].some((child) => child.nodeType === 3 && child.textContent?.trim()))
      .filter((it) => it.checkVisibility() && Number.parseFloat(getComputedStyle(it).fontSize) < 12)
      .map((it) => it.textContent ?? ""),
  );
