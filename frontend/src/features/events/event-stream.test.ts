import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openEventStream, type StreamHandlers } from "./event-stream";

/** The browser's EventSource, without a network: tests say what arrives. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  static all: Source[] = [];
  readyState = 0;
  constructor(readonly url: string) {
    super();
    Source.all.push(this);
  }
  close() {
    this.readyState = Source.CLOSED;
  }
  say(name: string, data: object) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }
  fail({ isFinal }: { isFinal: boolean }) {
    this.readyState = isFinal ? Source.CLOSED : 0;
    this.dispatchEvent(new Event("error"));
  }
}

let handlers: { [Name in keyof StreamHandlers]: ReturnType<typeof vi.fn> };
let close: () => void;
const latest = () => Source.all.at(-1) as Source;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", Source);
  Source.all = [];
  handlers = {
    onDocument: vi.fn(),
    onGone: vi.fn(),
    onRefetch: vi.fn(),
    onConnected: vi.fn(),
    onRefused: vi.fn(),
  };
  close = openEventStream(handlers as unknown as StreamHandlers);
});

afterEach(() => {
  close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the stream of events", () => {
  it("hands on what arrives", () => {
    latest().dispatchEvent(new Event("open"));
    latest().say("refetch", {});
    latest().say("document", { document_id: "d1" });
    latest().say("document_gone", { document_id: "d2" });
    expect(handlers.onConnected).toHaveBeenLastCalledWith(true);
    expect(handlers.onRefetch).toHaveBeenCalledOnce();
    expect(handlers.onDocument).toHaveBeenCalledWith({ document_id: "d1" });
    expect(handlers.onGone).toHaveBeenCalledWith("d2");
  });

  it("leaves a broken connection to the browser, which makes it again", () => {
    latest().fail({ isFinal: false });
    vi.advanceTimersByTime(30_000);
    expect(handlers.onConnected).toHaveBeenLastCalledWith(false);
    expect(Source.all).toHaveLength(1);
  });

  it("comes back after a refusal, less and less often", () => {
    latest().fail({ isFinal: true });
    expect(handlers.onRefused).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(1_000);
    expect(Source.all).toHaveLength(2);
    latest().fail({ isFinal: true });
    vi.advanceTimersByTime(1_000);
    expect(Source.all).toHaveLength(2);
    vi.advanceTimersByTime(1_000);
    expect(Source.all).toHaveLength(3);
  });

  it("makes a connection again that is silent for too long, for it is dead", () => {
    latest().dispatchEvent(new Event("open"));
    vi.advanceTimersByTime(30_000);
    latest().say("alive", {});
    vi.advanceTimersByTime(30_000);
    expect(Source.all).toHaveLength(1);
    vi.advanceTimersByTime(5_000);
    expect(Source.all).toHaveLength(2);
    expect(handlers.onConnected).toHaveBeenLastCalledWith(false);
    latest().dispatchEvent(new Event("open"));
    expect(handlers.onConnected).toHaveBeenLastCalledWith(true);
  });

  it("connects at once when the network is back", () => {
    latest().fail({ isFinal: true });
    window.dispatchEvent(new Event("online"));
    expect(Source.all).toHaveLength(2);
  });

  it("tries again when the network is lost, for the server may be on this machine", () => {
    const before = latest();
    window.dispatchEvent(new Event("offline"));
    expect(before.readyState).toBe(EventSource.CLOSED);
    expect(handlers.onConnected).toHaveBeenLastCalledWith(false);
    latest().dispatchEvent(new Event("open"));
    expect(handlers.onConnected).toHaveBeenLastCalledWith(true);
  });

  it("is over when it is closed", () => {
    latest().fail({ isFinal: true });
    close();
    vi.advanceTimersByTime(60_000);
    window.dispatchEvent(new Event("online"));
    expect(Source.all).toHaveLength(1);
  });
});
