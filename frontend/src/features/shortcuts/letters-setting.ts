import { useSyncExternalStore } from "react";

const STORAGE_KEY = "lectern-letter-shortcuts";
const listeners = new Set<() => void>();

/** Single letters as shortcuts are a help to many and a trap for who speaks to the computer: they can be turned off. */
export function areLettersOn(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== "off";
}

export function setLetters(isOn: boolean): void {
  if (isOn) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, "off");
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useLettersSetting(): boolean {
  return useSyncExternalStore(subscribe, areLettersOn);
}
