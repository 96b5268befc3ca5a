import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { invalidate, keyOf } from "./keys";

it("fetches a list again whose first answer is older than the change", async () => {
  const client = new QueryClient();
  const answers: ((names: string[]) => void)[] = [];
  const queryFn = () => new Promise<string[]>((resolve) => void answers.push(resolve));
  const list = new QueryObserver(client, { queryKey: keyOf("/api/v1/keys"), queryFn });
  const leave = list.subscribe(() => undefined);
  const isDone = invalidate(client, "keys");
  answers[0]?.([]);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(["new"]);
  await isDone;
  expect(list.getCurrentResult().data).toEqual(["new"]);
  leave();
});
