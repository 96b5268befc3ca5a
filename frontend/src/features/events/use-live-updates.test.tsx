import { screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { useMe } from "@/features/session/use-session";
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

afterEach(() => vi.unstubAllGlobals());

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
