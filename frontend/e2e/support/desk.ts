import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { TFunction } from "i18next";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { test as base, expect, inject } from "vitest";
import { startBrowser } from "./browser";
import { REPOSITORY, type Stack } from "./stack";
import { type Language, wordsOf } from "./words";

export { expect };

export const SIZES = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

export interface Appearance {
  language?: Language;
  scheme?: "light" | "dark";
  size?: keyof typeof SIZES;
  isSignedIn?: boolean;
  /** Let the page register its worker. */
  hasWorkers?: boolean;
  /** Pixels of the screen for each one of the page. */
  density?: number;
  /** Size of the window, if the default is too small. */
  width?: number;
  height?: number;
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;
const PATIENCE_MS = Number(process.env.LECTERN_E2E_PATIENCE_SECONDS ?? 90) * 1_000;
const PICTURES = join(REPOSITORY, ".lectern", "e2e");

let browser: Promise<Browser> | undefined;
const cookies = new Map<string, Cookies>();

/** A person's window on the running stack, with everything that went wrong in it. */
export class Desk {
  readonly complaints: string[] = [];
  readonly #expected: RegExp[] = [
    // A page that could not be drawn in time has no picture: the hit stands without it.
    /503 .*\/pages\/\d+\/image/,
  ];

  constructor(
    readonly stack: Stack,
    readonly page: Page,
    readonly t: TFunction,
  ) {
    page.on("pageerror", (error) => this.complaints.push(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() !== "error") return;
      this.complaints.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== stack.url && !["data:", "blob:"].includes(protocol)) {
        this.complaints.push(`request to another origin: ${request.url()}`);
      }
    });
  }

  /** Errors that a test brings about on purpose. */
  expectComplaint(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  get unexpected(): string[] {
    return this.complaints.filter((complaint) => !this.#expected.some((pattern) => pattern.test(complaint)));
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`${this.stack.url}${path}`);
    await this.page.getByRole("heading", { level: 1 }).waitFor();
  }
}

interface Fixtures {
  /** Opens a window; at the end of the test each must be without a complaint. */
  open: (appearance?: Appearance) => Promise<Desk>;
  stack: Stack;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: the shape that the runner reads
  stack: async ({}, use) => use(inject("stack")),
  open: async ({ stack, task, onTestFinished }, use) => {
    const desks: Desk[] = [];
    // not after `use`: what is thrown there would be thrown again after the retry
    onTestFinished(async () => {
      const complaints = desks.flatMap((desk) => desk.unexpected);
      const errors = task.result?.errors?.map(({ message }) => message) ?? [];
      const isFaulty = task.result?.state === "fail" || complaints.length > 0;
      // the report shows nothing of a first try if the second passes
      if (isFaulty) process.stderr.write(`A try of "${task.name}" failed: ${[...errors, ...complaints].join("; ")}\n`);
      for (const [index, { page }] of desks.entries()) {
        if (isFaulty) await takePicture(page, `${task.name}-${index}`);
        await page.context().close();
      }
      if (complaints.length > 0) throw new Error(`the browser complained: ${complaints.join("; ")}`);
    });
    await use(async (appearance = {}) => {
      const desk = await openDesk(stack, appearance);
      desks.push(desk);
      return desk;
    });
  },
});

async function takePicture(page: Page, name: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  const file = `${name.replaceAll(/\W+/g, "-").slice(0, 100)}.png`;
  await page.screenshot({ path: join(PICTURES, file) }).catch(() => undefined);
}

export async function openDesk(stack: Stack, appearance: Appearance): Promise<Desk> {
  const { language = "en", scheme = "light", size = "desktop", isSignedIn = true, density = 1 } = appearance;
  const serviceWorkers = appearance.hasWorkers ? "allow" : "block";
  const { width = SIZES[size].width, height = SIZES[size].height } = appearance;
  const viewport = { width, height };
  browser ??= startBrowser();
  const context = await (await browser).newContext({
    viewport,
    serviceWorkers,
    colorScheme: scheme,
    locale: language === "it" ? "it-IT" : "en-GB",
    timezoneId: "Europe/Rome",
    deviceScaleFactor: density,
    hasTouch: size === "phone",
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  if (isSignedIn) await context.addCookies(await cookiesOfSession(context, stack));
  return new Desk(stack, page, wordsOf(language));
}

/** One sign-in for each file of tests: the API counts attempts. */
async function cookiesOfSession(context: BrowserContext, stack: Stack): Promise<Cookies> {
  const key = `${stack.url} ${expect.getState().testPath}`;
  const known = cookies.get(key);
  if (known) return known;
  const response = await context.request.post(`${stack.url}/api/v1/auth/sign-in`, {
    headers: { "X-Requested-With": "e2e" },
    data: { email: stack.email, password: stack.password, use_cookies: true },
  });
  if (!response.ok()) throw new Error(`sign-in was answered with ${response.status()}`);
  const made = await context.cookies();
  cookies.set(key, made);
  return made;
}
