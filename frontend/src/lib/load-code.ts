import { lazy } from "react";
import { createStore } from "./create-store";
import { loadPageTexts } from "./i18n/i18n";

const LONGEST_PAUSE_MS = 5_000;
const ATTEMPTS = 100;

const missing = createStore(0);

/** Return true while a part of the app could not be loaded and is requested again. */
export const useIsCodeMissing = () => missing.use() > 0;

/**
 * Load a part of the app and its texts, again and again while the connection is away: what waits for it goes on waiting instead of
 * taking the page down with it. Fails after some eight minutes.
 */
export async function loadCode<T>(loadPart: () => Promise<T>): Promise<T> {
  const load = async () => {
    const [part] = await Promise.all([loadPart(), loadPageTexts()]);
    return part;
  };
  try {
    return await load();
  } catch {
    missing.set(missing.get() + 1);
    try {
      return await loadAgain(load);
    } finally {
      missing.set(missing.get() - 1);
    }
  }
}

async function loadAgain<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 2; ; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(attempt * 500, LONGEST_PAUSE_MS)));
    try {
      return await load();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** `lazy` of React, for code that is loaded with `loadCode`. */
export const lazyCode: typeof lazy = (load) => lazy(() => loadCode(load));
