const asked = new WeakSet<() => Promise<unknown>>();

/**
 * Fetch code that will be needed soon once the page has nothing else to do: it is there even if the connection is not.
 * Each is asked for once, however many rows of a list want it: asking costs more than drawing them.
 */
export function fetchWhenIdle(load: () => Promise<unknown>): void {
  if (asked.has(load)) return;
  asked.add(load);
  // What fails here is fetched again when it is needed.
  const start = () => void load().catch(() => asked.delete(load));
  if ("requestIdleCallback" in window) requestIdleCallback(start, { timeout: 4_000 });
  else setTimeout(start, 1_500);
}
