import { createStore } from "@/lib/create-store";

/** Actions by key: one key such as `?`, or a sequence such as `g d`. */
export type Bindings = Readonly<Record<string, () => void>>;

const PAUSE_MS = 1_200;
// Boxes to tick are fields that nothing is written in.
const WRITING =
  "input:not([type='checkbox'], [type='radio']), textarea, select, [contenteditable=''], [contenteditable='true'], [role='textbox']";
// These take letters themselves, to jump to an entry.
const CHOOSING = "[role='menu'], [role='listbox'], [role='dialog'], [role='tree']";

/** Return true if the focused element needs the key itself: a text field, a list or a dialog. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target;
  return target instanceof Element && target.closest(`${WRITING}, ${CHOOSING}`) !== null;
}

/** A listener for `keydown` that runs the bindings; the second key of a sequence has to come within about a second. */
export function listenForKeys(bindings: () => Bindings, { now = () => performance.now() } = {}) {
  let first = { key: "", at: Number.NEGATIVE_INFINITY };
  return (event: KeyboardEvent) => {
    if (isTaken(event) || event.repeat || event.key.length !== 1) return;
    const known = bindings();
    const sequence = now() - first.at < PAUSE_MS ? `${first.key} ${event.key}` : event.key;
    const action = known[sequence] ?? known[event.key];
    first = action ? { key: "", at: Number.NEGATIVE_INFINITY } : { key: event.key, at: now() };
    if (!action) return;
    event.preventDefault();
    action();
  };
}

/** Ctrl-K, or Cmd-K on a Mac: it writes nothing, so it works from fields too. */
export function isPaletteKey(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
}

export const isMac = () => /mac|iphone|ipad/i.test(navigator.platform);

const LETTERS_KEY = "lectern-letter-shortcuts";

/** Single letters as shortcuts help many people and hinder those who speak to the computer: they can be turned off. */
export const letters = createStore(localStorage.getItem(LETTERS_KEY) !== "off");

export function setLetters(isOn: boolean): void {
  if (isOn) localStorage.removeItem(LETTERS_KEY);
  else localStorage.setItem(LETTERS_KEY, "off");
  letters.set(isOn);
}
