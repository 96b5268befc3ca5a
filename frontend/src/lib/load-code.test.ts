import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadCode, useIsCodeMissing, useIsOutdated } from "./load-code";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const gone = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module: /assets/old.js"));
const serve = (page: string) => vi.stubGlobal("fetch", async () => new Response(page));

it("goes on until the connection is back", async () => {
  let tries = 0;
  const loading = loadCode(async () => {
    tries += 1;
    if (tries < 4) throw new TypeError("Failed to fetch dynamically imported module");
    return "the code";
  });
  await vi.advanceTimersByTimeAsync(10_000);
  await expect(loading).resolves.toBe("the code");
  expect(tries).toBe(4);
});

it("fails when it never comes", async () => {
  const loading = loadCode(() => Promise.reject(new TypeError("gone")));
  const failed = expect(loading).rejects.toThrow("gone");
  await vi.advanceTimersByTimeAsync(3_600_000);
  await failed;
});

it("says that a part is missing from the first failure until it has come", async () => {
  let isBack = false;
  const { result } = renderHook(useIsCodeMissing);
  const loading = loadCode(async () => {
    if (!isBack) throw new TypeError("Failed to fetch dynamically imported module");
  });
  expect(result.current).toBe(false);
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(result.current).toBe(true);
  isBack = true;
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  await loading;
  expect(result.current).toBe(false);
});

it("goes on without a word of an update when a portal answers for the server", async () => {
  serve("<title>Sign in to the guest network</title>");
  const { result } = renderHook(useIsOutdated);
  let isFailed = false;
  void loadCode(gone, { isPage: true }).catch(() => {
    isFailed = true;
  });
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect([isFailed, result.current]).toEqual([false, false]);
  await act(() => vi.advanceTimersByTimeAsync(3_600_000));
});

it("gives a page up at once when the server has another build, so that the router reloads", async () => {
  serve('<script type="module" src="/assets/app-2.js"></script>');
  const { result } = renderHook(useIsOutdated);
  const failed = expect(loadCode(gone, { isPage: true })).rejects.toThrow(
    "Failed to fetch dynamically imported module: replaced by /assets/app-2.js",
  );
  await act(() => vi.advanceTimersByTimeAsync(1));
  await failed;
  expect(result.current).toBe(true);
});
