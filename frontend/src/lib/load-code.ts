import { lazy } from "react";
import { createStore } from "./create-store";
import { loadPageTexts } from "./i18n/i18n";

const LONGEST_PAUSE_MS = 5_000;
const ATTEMPTS = 100;

const missing = createStore(0);
const outdated = createStore(false);

/** Return true while a part of the app could not be loaded and is requested again. */
export const useIsCodeMissing = () => missing.use() > 0;

/** Return true if the server has another build, so that parts of this one are gone. */
export const useIsOutdated = outdated.use;

/**
 * Load a part of the app and its texts, again and again while the connection is away: what waits for it goes on waiting instead of
 * taking the page down with it. Fails after some eight minutes. A page of another build fails at once.
 */
export async function loadCode<T>(loadPart: () => Promise<T>, { isPage = false } = {}): Promise<T> {
  const load = async () => {
    const [part] = await Promise.all([loadPart(), loadPageTexts()]);
    return part;
  };
  try {
    return await load();
  } catch {
    missing.set(missing.get() + 1);
    try {
      return await loadAgain(load, { isPage });
    } finally {
      missing.set(missing.get() - 1);
    }
  }
}

async function loadAgain<T>(load: () => Promise<T>, { isPage }: { isPage: boolean }): Promise<T> {
  for (let attempt = 2; ; attempt += 1) {
    const current = await findOtherBuild();
    outdated.set(current !== null);
    // the router reloads once for each error of these words when the page is shown, not when it is preloaded
    if (isPage && current) throw new TypeError(`Failed to fetch dynamically imported module: replaced by ${current}`);
    await new Promise((resolve) => setTimeout(resolve, Math.min(attempt * 500, LONGEST_PAUSE_MS)));
    try {
      return await load();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** Return the code of the build that the server has, or null if it is the one that runs. The page of a portal has none. */
async function findOtherBuild(): Promise<string | null> {
  const index = await fetch("/", { cache: "no-store" }).then(
    (response) => (response.ok ? response.text() : null),
    () => null,
  );
  if (!index) return null;
  const own = codeOf(document);
  const served = codeOf(new DOMParser().parseFromString(index, "text/html"));
  return served && served !== own ? served : null;
}

const codeOf = (page: Document): string =>
  [...page.querySelectorAll("script[type=module][src]")].map((script) => script.getAttribute("src")).join(" ");

/** `lazy` of React, for code that is loaded with `loadCode`. */
export const lazyCode: typeof lazy = (load) => lazy(() => loadCode(load));
