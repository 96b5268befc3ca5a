/** Fetch code that will be needed soon once the page has nothing else to do: it is there even if the connection is not. */
export function fetchWhenIdle(load: () => Promise<unknown>): () => void {
  // What fails here is fetched again when it is needed.
  const start = () => void load().catch(() => undefined);
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(start, 1_500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(start, { timeout: 4_000 });
  return () => cancelIdleCallback(handle);
}
