import { useQuery } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { useMe } from "@/features/session/use-session";
import { ApiProblem } from "@/lib/api/problem";
import { renderInApp } from "@/test-rendering";
import { useLiveUpdates } from "./use-live-updates";

const LISTENER = {};

class Source extends EventTarget {
  static readonly CLOSED = 2;
  static all: Source[] = [];
  readyState = 0;
  constructor() {
    super();
    Source.all.push(this);
  }
  close() {
    this.readyState = Source.CLOSED;
  }
}

function App() {
  const { me, refetch } = useMe();
  useLiveUpdates(LISTENER);
  return (
    <button type="button" onClick={refetch}>
      {me === null ? "signed out" : (me?.name ?? "unknown")}
    </button>
  );
}

afterEach(() => {
  vi.unstubAllGlobals();
  Source.all = [];
});

it("listens to events only while somebody is signed in", async () => {
  let isSignedIn = true;
  const refusal = { status: 401, code: "unauthorized", title: "", detail: "Sign in." };
  vi.stubGlobal("EventSource", Source);
  vi.stubGlobal("fetch", async () =>
    isSignedIn ? Response.json({ name: "Ada" }) : Response.json(refusal, { status: 401 }),
  );
  renderInApp(<App />);
  await screen.findByText("Ada");
  expect(Source.all.map(({ readyState }) => readyState)).toEqual([0]);
  isSignedIn = false;
  screen.getByRole("button").click();
  await screen.findByText("signed out");
  expect(Source.all.map(({ readyState }) => readyState)).toEqual([Source.CLOSED]);
  isSignedIn = true;
  screen.getByRole("button").click();
  await screen.findByText("Ada");
  expect(Source.all.map(({ readyState }) => readyState)).toEqual([Source.CLOSED, 0]);
});

it("requests again what the lost connection interrupted, and nothing else", async () => {
  const requests: Record<string, number> = {};
  function useFailing(name: string, { status, retry }: { status: number; retry: boolean | number }) {
    const queryFn = () => {
      requests[name] = (requests[name] ?? 0) + 1;
      return Promise.reject(new ApiProblem({ status, code: "refused", title: "", detail: "" }));
    };
    return useQuery({ queryKey: [name], queryFn, retry, retryDelay: 3_600_000 }).failureCount;
  }
  function Page() {
    useLiveUpdates(LISTENER);
    const waiting = useFailing("waits for its next try", { status: 0, retry: true });
    const failed = useFailing("failed for good", { status: 503, retry: 0 });
    const refused = useFailing("refused", { status: 404, retry: 0 });
    const once = useFailing("sent once", { status: 0, retry: false });
    return <p>{[waiting, failed, refused, once].join()}</p>;
  }
  vi.stubGlobal("EventSource", Source);
  vi.stubGlobal("fetch", async () => Response.json({ name: "Ada" }));
  renderInApp(<Page />);
  await screen.findByText("1,1,1,1");
  Source.all.at(-1)?.dispatchEvent(new Event("open"));
  await waitFor(() =>
    expect(requests).toEqual({ "waits for its next try": 2, "failed for good": 2, refused: 1, "sent once": 1 }),
  );
});
