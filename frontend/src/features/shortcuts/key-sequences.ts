import { createStore } from "@/lib/create-store";

/** Actions by key: one key such as `?` or `ArrowDown`, or a sequence such as `g d`. */
export type Bindings = Readonly<Record<string, () => void>>;

const PAUSE_MS = 1_200;
// Boxes to tick are fields that nothing is written in.
const WRITING =
  "input:not([type='checkbox'], [type='radio']), textarea, select, [contenteditable=''], [contenteditable='true'], [role='textbox']";
// These take letters themselves, to jump to an entry.
const CHOOSING = "[role='menu'], [role='listbox'], [role='dialog'], [role='tree']";
// A dialog locks the page's scrolling at once, and takes the focus some frames later.
const DIALOG = "[aria-modal='true'], body[data-scroll-locked]";
// The space bar presses these.
const PRESSED = "button, summary, input, [role='button'], [role='checkbox'], [role='tab']";
/** Keys that move, which people hold down. */
const MOVES = ["j", "k", "ArrowDown", "ArrowUp"];

/** Return true if the key is not for the page: the focused element needs it, or a dialog is open or opening. */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.isComposing || event.defaultPrevented || event.metaKey) return true;
  if (document.querySelector(DIALOG)) return true;
  // On many keyboards `#` needs AltGr, which counts as Ctrl and Alt.
  const isAltGraph = event.ctrlKey && event.altKey && event.getModifierState("AltGraph");
  if ((event.ctrlKey || event.altKey) && !isAltGraph) return true;
  const target = event.target;
  const takers = [WRITING, CHOOSING, ...(event.key === " " ? [PRESSED] : [])];
  return target instanceof Element && target.closest(takers.join()) !== null;
}

/** A listener for `keydown` that runs the bindings; the second key of a sequence has to come within about a second. */
export function listenForKeys(bindings: () => Bindings, { now = () => performance.now() } = {}) {
  let first = { key: "", at: Number.NEGATIVE_INFINITY };
  return (event: KeyboardEvent) => {
    if (isTaken(event) || (event.repeat && !MOVES.includes(event.key))) return;
    const known = bindings();
    if (event.key.length !== 1 && !known[event.key]) return;
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
