import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadCode, useIsCodeMissing } from "./load-code";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

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
