import { lazy } from "react";

const LONGEST_PAUSE_MS = 5_000;
const ATTEMPTS = 100;

/**
 * Load a part of the app, again and again while the connection is away: what waits for it goes on waiting instead of
 * taking the page down with it. Fails after some eight minutes.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await load();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(attempt * 500, LONGEST_PAUSE_MS)));
    }
  }
}

/** `lazy` of React, for code that is loaded with `loadCode`. */
export const lazyCode: typeof lazy = (load) => lazy(() => loadCode(load));
