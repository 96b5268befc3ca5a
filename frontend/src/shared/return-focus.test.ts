import { afterEach, expect, it } from "vitest";
import { returnFocus } from "./return-focus";

function build() {
  document.body.innerHTML =
    '<div id="root"><button id="opener"></button></div><div role="dialog"><input id="field"></div>';
  const get = (id: string) => document.getElementById(id) as HTMLElement;
  get("opener").focus();
  get("field").focus();
  return { opener: get("opener"), layer: document.querySelector("[role=dialog]") as HTMLElement };
}

const moment = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

afterEach(() => {
  document.body.innerHTML = "";
});

it("waits for a layer that is taken off the page some moments after it closed", async () => {
  const { opener, layer } = build();
  returnFocus();
  await moment(120);
  expect(layer.contains(document.activeElement)).toBe(true);
  layer.remove();
  await expect.poll(() => document.activeElement).toBe(opener);
});

it("stays in an open dialog when the focused button is disabled or a list in it closes", async () => {
  const { layer } = build();
  layer.setAttribute("aria-modal", "true");
  layer.innerHTML = '<input id="name"><button id="send"></button>';
  const [name, send] = layer.children as unknown as [HTMLInputElement, HTMLButtonElement];
  send.focus();
  const tab = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab" }));
  send.blur();
  send.disabled = true;
  returnFocus();
  await moment(20);
  expect(document.activeElement).toBe(document.body);
  tab();
  expect(document.activeElement).toBe(name);
  send.disabled = false;
  send.focus();
  send.blur();
  tab();
  expect(document.activeElement).toBe(send);
});

it("leaves the focus where somebody has put it since", async () => {
  const { opener, layer } = build();
  const other = opener.cloneNode() as HTMLElement;
  document.getElementById("root")?.append(other);
  returnFocus();
  layer.remove();
  other.focus();
  await moment(120);
  expect(document.activeElement).toBe(other);
});
