import { documentsNamed } from "../support/api";
import type { Desk } from "../support/desk";
import { askTwice, DAMAGED, LOCKED, QUESTION } from "./prepare";
import { press, type Scene, seen } from "./scene";

const SEARCHED = `/search?q=${encodeURIComponent(QUESTION)}`;
const NOTED = "customer identity";
const asked = (question: string) => `/ask?q=${encodeURIComponent(question)}`;

async function open(desk: Desk, name: string, address = ""): Promise<void> {
  const [document] = await documentsNamed(desk.stack, name);
  await desk.go(`/documents/${document?.id}${address}`);
}

const drawn = ({ page }: Desk) => seen(page.locator(".pdfViewer .page[data-loaded=true]"));
const hits = ({ page }: Desk) => seen(page.locator("blockquote"));

/** A document, its pages and what stands beside them; searching and asking. */
export const READING: Scene[] = [
  ...["ask", "contents"].map(
    (panel): Scene => ({
      name: `reader-${panel}`,
      path: "/documents",
      act: (desk) => open(desk, "aml-kyc-policy", `?page=3&panel=${panel}`).then(() => drawn(desk)),
      isWhole: true,
    }),
  ),
  ...["pages", "details", "history", "versions", "copies"].map(
    (part): Scene => ({
      name: `reader-${part}`,
      path: "/documents",
      act: (desk) => open(desk, "aml-kyc-policy", `?page=3&panel=info&part=${part}`).then(() => drawn(desk)),
      isWhole: true,
    }),
  ),
  {
    name: "reader-passage",
    path: "/documents",
    act: (desk) =>
      open(desk, "aml-kyc-policy", "?page=3&start=2955&end=3145").then(() =>
        seen(desk.page.locator(".lectern-highlights > *")),
      ),
  },
  {
    name: "reader-found",
    path: "/documents",
    act: async (desk) => {
      await open(desk, "aml-kyc-policy");
      await drawn(desk);
      await desk.page.getByLabel(desk.t("find.label")).last().fill("customer");
      await seen(desk.page.getByRole("list", { name: desk.t("find.results") }));
    },
  },
  {
    name: "reader-found-nothing",
    path: "/documents",
    act: async (desk) => {
      await open(desk, "aml-kyc-policy");
      await drawn(desk);
      await desk.page.getByLabel(desk.t("find.label")).last().fill("zeppelin");
      await seen(desk.page.getByText(desk.t("find.none")));
    },
  },
  {
    name: "reader-markdown",
    path: "/documents",
    act: (desk) => open(desk, "employee-handbook"),
  },
  {
    name: "reader-scan",
    path: "/documents",
    act: (desk) => open(desk, "verbale-collaudo").then(() => drawn(desk)),
  },
  {
    name: "reader-locked",
    path: "/documents",
    act: (desk) => open(desk, LOCKED).then(() => seen(desk.page.getByText(desk.t("document.locked.title")))),
  },
  {
    name: "reader-damaged",
    path: "/documents",
    act: (desk) =>
      open(desk, DAMAGED).then(() => seen(desk.page.getByRole("heading", { name: desk.t("errors.fileTitle") }))),
  },
  {
    name: "reader-thread",
    path: "/documents",
    act: async (desk) => {
      await desk.go(await askTwice(desk.stack));
      await desk.page
        .getByRole("button", { name: desk.t("ask:openCitation", { number: 1 }) })
        .last()
        .click();
      await seen(desk.page.locator(".lectern-highlights > *"));
      await desk.page.getByText(desk.t("ask:newQuestion")).scrollIntoViewIfNeeded();
    },
  },
  { name: "reader-gone", path: "/documents/00000000-0000-4000-8000-000000000000" },
  { name: "search", path: "/search" },
  { name: "search-hits", path: SEARCHED, act: hits },
  {
    name: "search-notes",
    path: `/search?q=${encodeURIComponent(NOTED)}`,
    act: async (desk) => {
      await hits(desk);
      const notes = desk.page.getByRole("region", { name: desk.t("notes:inNotes") });
      await seen(notes);
      await notes.scrollIntoViewIfNeeded();
    },
  },
  { name: "search-expanded", path: "/search?q=What+does+the+KYC+policy+say+of+PEPs%3F", act: hits },
  { name: "search-hits-whole", path: SEARCHED, act: hits, isWhole: true },
  { name: "search-weak", path: "/search?q=zzzzqqqq&tags=aml&semanticOnly=true" },
  { name: "search-none", path: "/search?q=policy&to=2001-01-01" },
  {
    name: "search-filters",
    path: SEARCHED,
    act: async (desk) => {
      await hits(desk);
      await press(desk, desk.t("search.filters"));
    },
  },
  {
    name: "search-explained",
    path: SEARCHED,
    act: async (desk) => {
      await hits(desk);
      await desk.page.locator("ol > li button[aria-expanded]").last().click();
      await seen(desk.page.locator("ol > li button[aria-expanded=true]"));
      await desk.page.locator("ol > li button[aria-expanded=true]").last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: "search-copy",
    path: SEARCHED,
    act: async (desk) => {
      await hits(desk);
      await desk.page.locator("ol > li button[aria-haspopup=menu]").first().click();
      await seen(desk.page.getByRole("menu"));
    },
  },
  {
    name: "search-why",
    path: SEARCHED,
    act: async (desk) => {
      const { page, t } = desk;
      await hits(desk);
      await press(desk, t("why.title"));
      await page.getByLabel(t("why:document")).first().fill("travel");
      await page
        .getByRole("option", { name: /travel/ })
        .first()
        .click();
      await page.getByLabel(t("why:quote")).fill("Hotel");
      await press(desk, t("why:ask"));
      await seen(page.locator("form [role=status], form [role=alert]"));
      await page.locator("form [role=status], form [role=alert]").last().scrollIntoViewIfNeeded();
    },
  },
  { name: "ask", path: "/ask" },
  {
    name: "ask-answered",
    path: asked("How long are records kept after the end of the relationship?"),
    act: async (desk) => seen(desk.page.getByRole("button", { name: desk.t("ask:copy") })),
    isWhole: true,
  },
  {
    name: "ask-absent",
    path: asked("Who won the football world cup in 1974?"),
    act: async (desk) => seen(desk.page.getByText(desk.t("ask:outcome.nothing_found"))),
    isWhole: true,
  },
  {
    name: "ask-counted",
    path: asked("How many pages does aml-kyc-policy.pdf have?"),
    act: async (desk) => seen(desk.page.getByRole("button", { name: desk.t("ask:copy") })),
  },
  { name: "not-found", path: "/no-such-page" },
];
