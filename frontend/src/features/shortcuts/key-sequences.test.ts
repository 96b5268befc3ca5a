import { afterEach, describe, expect, it, vi } from "vitest";
import { isPaletteKey, listenForKeys } from "./key-sequences";

let clock = 0;
const help = vi.fn();
const documents = vi.fn();
const peek = vi.fn();
const bindings = { "?": help, "g d": documents, j: help, "#": help, " ": peek, ArrowDown: help };
const listen = listenForKeys(() => bindings, { now: () => clock });

function press(key: string, { on = document.body, ...rest }: { on?: Element } & KeyboardEventInit = {}) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...rest });
  on.addEventListener("keydown", (seen) => listen(seen as KeyboardEvent), { once: true });
  on.dispatchEvent(event);
  return event;
}

function add(html: string): Element {
  document.body.innerHTML = html;
  return document.body.querySelector("[data-here]") as Element;
}

afterEach(() => {
  document.body.innerHTML = "";
  vi.clearAllMocks();
  clock += 10_000;
});

describe("shortcuts", () => {
  it("run on one key, and take it away from the page", () => {
    expect(press("?").defaultPrevented).toBe(true);
    expect(help).toHaveBeenCalledOnce();
  });

  it("run on two keys that follow each other soon", () => {
    press("g");
    clock += 300;
    press("d");
    expect(documents).toHaveBeenCalledOnce();
  });

  it("forget the first key after a while", () => {
    press("g");
    clock += 2_000;
    press("d");
    expect(documents).not.toHaveBeenCalled();
  });

  it.each([
    '<input data-here type="search">',
    "<textarea data-here></textarea>",
    "<select data-here></select>",
    '<div contenteditable="true"><b data-here>x</b></div>',
    '<div role="menu"><button data-here>x</button></div>',
    '<div role="dialog"><button data-here>x</button></div>',
  ])("leave keys alone in %s", (html) => {
    expect(press("?", { on: add(html) }).defaultPrevented).toBe(false);
    expect(help).not.toHaveBeenCalled();
  });

  it("wait while a dialog is open or opening, though the focus is on the page", () => {
    document.body.setAttribute("data-scroll-locked", "1");
    press("?");
    document.body.removeAttribute("data-scroll-locked");
    add('<div data-here role="dialog" aria-modal="true"></div>');
    press("?");
    expect(help).not.toHaveBeenCalled();
    document.body.innerHTML = "";
    press("?");
    expect(help).toHaveBeenCalledOnce();
  });

  it("work from a box that is ticked", () => {
    press("?", { on: add('<input data-here type="checkbox">') });
    expect(help).toHaveBeenCalledOnce();
  });

  it("know keys with names", () => {
    expect(press("ArrowDown").defaultPrevented).toBe(true);
    expect(press("ArrowUp").defaultPrevented).toBe(false);
    expect(help).toHaveBeenCalledOnce();
  });

  it("leave the space bar to what it presses", () => {
    press(" ", { on: add("<button data-here>x</button>") });
    press(" ", { on: add("<input data-here type='checkbox'>") });
    expect(peek).not.toHaveBeenCalled();
    press(" ", { on: add("<a data-here href='#x'>x</a>") });
    expect(peek).toHaveBeenCalledOnce();
  });

  it("go on while a key that moves is held, and no other", () => {
    press("j", { repeat: true });
    press("?", { repeat: true });
    expect(help).toHaveBeenCalledOnce();
  });

  it("hear a character that is typed with AltGr", () => {
    press("#", { ctrlKey: true, altKey: true, modifierAltGraph: true });
    expect(help).toHaveBeenCalledOnce();
  });

  it("leave combinations to the browser", () => {
    press("?", { ctrlKey: true });
    press("?", { metaKey: true });
    press("?", { altKey: true });
    expect(help).not.toHaveBeenCalled();
  });
});

describe("the key of the palette", () => {
  it("is Ctrl-K or Cmd-K and nothing else", () => {
    const key = (init: KeyboardEventInit) => isPaletteKey(new KeyboardEvent("keydown", init));
    expect(key({ key: "k", ctrlKey: true })).toBe(true);
    expect(key({ key: "K", metaKey: true })).toBe(true);
    expect(key({ key: "k" })).toBe(false);
    expect(key({ key: "k", ctrlKey: true, shiftKey: true })).toBe(false);
  });
});
