import { useSyncExternalStore } from "react";

// A stream that ends in turn is back within a second or two; people hear of it only when it stays away.
const PATIENCE_MS = 4_000;

let isLost = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(value: boolean) {
  if (isLost === value) return;
  isLost = value;
  for (const listener of listeners) listener();
}

/** Tell whether the server is within reach just now. */
export function noteConnection(isConnected: boolean): void {
  if (isConnected) {
    clearTimeout(timer);
    timer = undefined;
    set(false);
  } else {
    timer ??= setTimeout(() => set(true), PATIENCE_MS);
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the connection has been lost for some seconds. */
export function useIsConnectionLost(): boolean {
  return useSyncExternalStore(subscribe, () => isLost);
}
