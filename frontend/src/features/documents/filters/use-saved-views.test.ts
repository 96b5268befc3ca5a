import { act, renderHook } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { readViews, useSavedViews } from "./use-saved-views";

beforeEach(() => localStorage.clear());

describe("saved views", () => {
  it("are kept for the person, without the place in the list", () => {
    const { result } = renderHook(() => useSavedViews("u1"));
    act(() => result.current.save("Open contracts", { tags: ["contract"], cursor: "abc", page: 3 }));
    expect(result.current.views).toEqual([{ name: "Open contracts", search: { tags: ["contract"] } }]);
    expect(renderHook(() => useSavedViews("u1")).result.current.views).toEqual(result.current.views);
    expect(renderHook(() => useSavedViews("u2")).result.current.views).toEqual([]);
  });

  it("are written over by name, and removed", () => {
    const { result } = renderHook(() => useSavedViews("u1"));
    act(() => result.current.save("Mine", { q: "a" }));
    act(() => result.current.save("Mine", { q: "b" }));
    expect(result.current.views).toEqual([{ name: "Mine", search: { q: "b" } }]);
    act(() => result.current.remove("Mine"));
    expect(result.current.views).toEqual([]);
  });

  it("forgive what is damaged in the browser's storage", () => {
    expect(readViews("{")).toEqual([]);
    expect(readViews('{"a":1}')).toEqual([]);
    expect(readViews('[1, {"name":"x"}, {"name":"ok","search":{"q":"a","sort":"colour"}}]')).toEqual([
      { name: "ok", search: { q: "a" } },
    ]);
  });
});
