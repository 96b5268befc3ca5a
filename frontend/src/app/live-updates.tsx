import { type Listener, useLiveUpdates } from "@/features/events/use-live-updates";

const LISTENER: Listener = {};

/** The one connection for news, for as long as somebody is signed in. */
export function LiveUpdates() {
  useLiveUpdates(LISTENER);
  return null;
}
