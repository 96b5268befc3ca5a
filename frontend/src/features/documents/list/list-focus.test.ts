import { afterEach, describe, expect, it } from "vitest";
import { focusBeside, focusDocument, focusedDocument, focusLater, neighbour } from "./list-focus";

afterEach(() => {
  document.body.innerHTML = "";
});

describe("walking along the list", () => {
  const ids = ["a", "b", "c"];

  it("begins at the first document", () => {
    expect(neighbour(ids, undefined, 1)).toBe("a");
    expect(neighbour(ids, "gone", -1)).toBe("a");
    expect(neighbour([], undefined, 1)).toBeUndefined();
  });

  it("ends at the first and the last", () => {
    expect(neighbour(ids, "b", 1)).toBe("c");
    expect(neighbour(ids, "c", 1)).toBe("c");
    expect(neighbour(ids, "a", -1)).toBe("a");
  });

  it("moves the focus to the link that opens a document", () => {
    document.body.innerHTML = `<main>
      <div data-document="a"><a href="#t">tag</a><a href="#a" data-opens>A</a></div>
      <div data-document="b"><a href="#b" data-opens>B</a><button>more</button></div>
    </main>`;
    expect(focusedDocument()).toBeUndefined();
    focusDocument("a");
    expect(document.activeElement?.textContent).toBe("A");
    document.querySelector("button")?.focus();
    expect(focusedDocument()).toBe("b");
  });
  it("moves the focus beside a document that goes away", () => {
    const row = (id: string) => `<div data-document="${id}"><a href="#${id}" data-opens>${id}</a></div>`;
    document.body.innerHTML = `<main id="content" tabindex="-1">${row("a")}${row("b")}</main>`;
    focusBeside("a");
    expect(focusedDocument()).toBe("b");
    focusBeside("b");
    expect(focusedDocument()).toBe("a");
    document.querySelector("[data-document=b]")?.remove();
    focusBeside("a");
    expect(document.activeElement?.id).toBe("content");
  });
  it("moves the focus beside documents that have gone, unless the reader has gone on", () => {
    const row = (id: string) => `<div data-document="${id}"><a href="#${id}" data-opens>${id}</a></div>`;
    document.body.innerHTML = `<main id="content" tabindex="-1">${["a", "b", "c"].map(row).join("")}</main><input>`;
    focusDocument("b");
    const move = focusLater(["a", "b"]);
    for (const id of ["a", "b"]) document.querySelector(`[data-document=${id}]`)?.remove();
    move();
    expect(focusedDocument()).toBe("c");
    const moveFromInput = focusLater(["c"]);
    document.querySelector("input")?.focus();
    moveFromInput();
    expect(document.activeElement?.tagName).toBe("INPUT");
    document.querySelector("input")?.blur();
    moveFromInput();
    expect(document.activeElement?.id).toBe("content");
  });
});
