import { act, renderHook, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { useFileDrop } from "./drop-overlay";

const file = (name: string) => new File(["x"], name);
const fileEntry = (name: string) => ({
  name,
  isFile: true,
  file: (done: (file: File) => void) => done(file(name)),
});

/** A folder that gives its contents in two parts, as browsers do with long ones. */
const folder = (name: string, ...children: object[]) => ({
  name,
  isFile: false,
  createReader() {
    const parts = [children.slice(0, 1), children.slice(1), []];
    return { readEntries: (done: (entries: object[]) => void) => done(parts.shift() ?? []) };
  },
});

function drag(name: string, { entries = [], types = ["Files"] }: { entries?: object[]; types?: string[] } = {}) {
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  const event = Object.assign(new Event(name, { cancelable: true }), {
    dataTransfer: { types, items, files: [] },
    relatedTarget: null,
  });
  act(() => {
    window.dispatchEvent(event);
  });
  return event;
}

describe("dropping files", () => {
  it("shows while files hang over the window, and not for other things", () => {
    const { result } = renderHook(() => useFileDrop(vi.fn()));
    drag("dragenter", { types: ["text/plain"] });
    expect(result.current).toBe(false);
    drag("dragenter");
    expect(result.current).toBe(true);
    drag("dragleave");
    expect(result.current).toBe(false);
  });

  it("takes files and whole folders, without what systems leave in them", async () => {
    const onFiles = vi.fn();
    renderHook(() => useFileDrop(onFiles));
    const inner = folder("inner", fileEntry("c.txt"));
    const entries = [fileEntry("a.pdf"), folder("papers", fileEntry("b.md"), fileEntry(".DS_Store"), inner)];
    expect(drag("drop", { entries }).defaultPrevented).toBe(true);
    await waitFor(() => expect(onFiles).toHaveBeenCalledOnce());
    expect(onFiles.mock.calls[0]?.[0].map((one: File) => one.name)).toEqual(["a.pdf", "b.md", "c.txt"]);
  });
});
