import { createStore } from "@/lib/create-store";

// A stream that ends in turn is back within a second or two; people hear of it only when it stays away.
const PATIENCE_MS = 4_000;

const isLost = createStore(false);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Record that the server is reachable, or that it is not. */
export function noteConnection(isConnected: boolean): void {
  if (isConnected) {
    clearTimeout(timer);
    timer = undefined;
    isLost.set(false);
  } else {
    timer ??= setTimeout(() => isLost.set(true), PATIENCE_MS);
  }
}

/** Return true when the connection has been lost for some seconds. */
export const useIsConnectionLost = isLost.use;
