import { MutationObserver } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { ApiProblem } from "@/lib/api/problem";
import { queryClient } from "./query-client";

const ME = ["get", "/api/v1/auth/me", {}];

async function refuse(status: number) {
  const refused = new MutationObserver(queryClient, {
    mutationFn: () => Promise.reject(new ApiProblem({ status, code: "refused", title: "", detail: "" })),
  });
  await refused.mutate().catch(() => {});
}

async function asksWhoIsSignedIn(): Promise<boolean> {
  const spy = vi.spyOn(queryClient, "invalidateQueries");
  await refuse(401);
  const asked = spy.mock.calls.length > 0;
  await refuse(403);
  expect(spy.mock.calls.length).toBe(asked ? 1 : 0);
  spy.mockRestore();
  return asked;
}

afterEach(() => queryClient.clear());

it("asks who is signed in where somebody was and is refused as a stranger", async () => {
  queryClient.setQueryData(ME, { id: "anna" });
  expect(await asksWhoIsSignedIn()).toBe(true);
});

it("does not where nobody was, as behind a wrong password", async () => {
  expect(await asksWhoIsSignedIn()).toBe(false);
});
