import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { documentOf } from "@/features/events/test-samples";
import { FakeRequest } from "@/test-xhr";
import { UploadList } from "./upload-list";
import { UploadQueue } from "./upload-queue";

let list: UploadList;
let queue: UploadQueue;
let fetched: string[];

const file = (name: string, size = 3) => new File(["x".repeat(size)], name);
const states = () => list.items.map((item) => item.state);
const tick = () => vi.advanceTimersByTimeAsync(0);
const accepted = (given: object = {}) => ({
  items: [
    {
      filename: "a.pdf",
      document: documentOf({ status: "queued" }),
      is_duplicate: false,
      is_restored: false,
      ...given,
    },
  ],
});

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  FakeRequest.all = [];
  fetched = [];
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  vi.stubGlobal("fetch", async (url: string) => {
    fetched.push(url);
    return new Response("{}", { status: 200 });
  });
  list = new UploadList();
  list.open("u1");
  queue = new UploadQueue(list);
});

afterEach(() => {
  queue.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function add(...names: string[]) {
  queue.add(names.map((name) => ({ file: file(name), options: { tags: [] } })));
}

describe("the queue of uploads", () => {
  it("sends a file as the body, with what was said about it in the address", () => {
    const options = { collection: "c1", tags: ["hr", "2026"], language: "it", isNewVersion: true };
    queue.add([{ file: file("bilancio è.pdf"), options }]);
    const request = FakeRequest.latest();
    expect([request.method, request.url.pathname]).toEqual(["POST", "/api/v1/documents"]);
    expect([...request.url.searchParams]).toEqual([
      ["filename", "bilancio è.pdf"],
      ["tags", "hr"],
      ["tags", "2026"],
      ["collection", "c1"],
      ["language", "it"],
      ["on_same_name", "new_version"],
    ]);
    expect(request.body).toBeInstanceOf(File);
    expect(request.headers["X-Requested-With"]).toBe("lectern");
  });

  it("sends three at a time, in order", async () => {
    add("1", "2", "3", "4", "5");
    expect(FakeRequest.all).toHaveLength(3);
    expect(states()).toEqual(["sending", "sending", "sending", "waiting", "waiting"]);
    FakeRequest.all[1]?.answer(202, accepted());
    await tick();
    expect(states()).toEqual(["sending", "kept", "sending", "sending", "waiting"]);
    expect(FakeRequest.latest().url.searchParams.get("filename")).toBe("4");
  });

  it("says how much is sent", () => {
    add("1");
    FakeRequest.latest().progress(0.42);
    expect(list.items[0]?.share).toBeCloseTo(0.42);
  });

  it("tells a duplicate, and one that came back from the trash", async () => {
    add("1");
    FakeRequest.latest().answer(202, accepted({ is_duplicate: true, is_restored: true }));
    await tick();
    expect(list.items[0]).toMatchObject({ state: "kept", isDuplicate: true, isRestored: true });
  });

  it("keeps what the API says when it refuses, and sends again when it is asked to", async () => {
    add("photo.png");
    FakeRequest.latest().answer(415, {
      code: "unsupported_type",
      detail: "It is a picture.",
      hint: "Make a PDF.",
    });
    await tick();
    const problem = { code: "unsupported_type", detail: "It is a picture.", hint: "Make a PDF." };
    expect(list.items[0]).toMatchObject({ state: "refused", problem });
    queue.retry(list.items[0]?.id ?? "");
    expect([states(), FakeRequest.all.length]).toEqual([["sending"], 2]);
  });

  it("ends a file that is being sent", async () => {
    add("1", "2");
    queue.cancel(list.items[0]?.id ?? "");
    await tick();
    expect(FakeRequest.all[0]?.isOver).toBe(true);
    expect(states()).toEqual(["cancelled", "sending"]);
  });
});

describe("a connection that breaks", () => {
  it("is tried again by itself after a pause, and at once when the network is back", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    add("1");
    FakeRequest.latest().breakOff();
    await tick();
    expect(states()).toEqual(["pausing"]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([states(), FakeRequest.all.length]).toEqual([["sending"], 2]);
    FakeRequest.latest().breakOff();
    await tick();
    queue.resume();
    expect([states(), FakeRequest.all.length]).toEqual([["sending"], 3]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeRequest.all).toHaveLength(3);
  });

  it("is waited for as long as nobody answers", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    add("1");
    for (let round = 0; round < 12; round += 1) {
      FakeRequest.latest().breakOff();
      await vi.advanceTimersByTimeAsync(15_000);
    }
    expect(states()).toEqual(["sending"]);
  });

  it("is noticed when nothing moves any more", async () => {
    add("1");
    await vi.advanceTimersByTimeAsync(50_000);
    FakeRequest.latest().progress(0.5);
    await vi.advanceTimersByTimeAsync(50_000);
    expect([states(), FakeRequest.all.length]).toEqual([["sending"], 1]);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(FakeRequest.all[0]?.isOver).toBe(true);
    expect([states(), FakeRequest.all.length]).toEqual([["sending"], 2]);
  });

  it("is the file's own fault when everything else is answered", async () => {
    add("1");
    for (let round = 0; round < 4; round += 1) {
      FakeRequest.latest().breakOff();
      await vi.advanceTimersByTimeAsync(15_000);
    }
    expect(list.items[0]).toMatchObject({ state: "refused", problem: { code: "broken_connection" } });
  });

  it("renews a session that ended, and goes on", async () => {
    add("1");
    FakeRequest.latest().answer(401, { code: "not_signed_in" });
    await tick();
    expect(fetched).toEqual(["/api/v1/auth/refresh"]);
    expect([states(), FakeRequest.all.length]).toEqual([["sending"], 2]);
  });

  it("waits for as long as the API asks", async () => {
    add("1");
    FakeRequest.latest().answer(429, { code: "rate_limited", retry_after_seconds: 30 });
    await vi.advanceTimersByTimeAsync(29_000);
    expect(states()).toEqual(["pausing"]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(states()).toEqual(["sending"]);
  });
});

describe("a reload of the page", () => {
  it("keeps documents that are read and names files that were not sent", async () => {
    queue.add(["1", "2", "3", "4"].map((name) => ({ file: file(name), options: { tags: ["hr"] } })));
    FakeRequest.all[0]?.answer(202, accepted());
    await tick();
    list.remember();
    const reloaded = new UploadList();
    reloaded.open("u1");
    expect(reloaded.items.map((item) => [item.filename, item.state])).toEqual([
      ["1", "kept"],
      ["2", "lost"],
      ["3", "lost"],
      ["4", "lost"],
    ]);
    const again = new UploadQueue(reloaded);
    again.add([{ file: file("3"), options: { tags: [] } }]);
    expect(reloaded.items[2]).toMatchObject({ filename: "3", state: "sending", options: { tags: ["hr"] } });
    expect(reloaded.items).toHaveLength(4);
    again.stop();
  });

  it("does not bring back a line that was dismissed just before", async () => {
    add("broken.pdf");
    FakeRequest.latest().answer(415, { code: "unsupported_type" });
    await vi.advanceTimersByTimeAsync(1_000);
    queue.remove((item) => item.state === "refused");
    const reloaded = new UploadList();
    reloaded.open("u1");
    expect(reloaded.items).toEqual([]);
  });

  it("forgets what is done, and shows nobody the uploads of another person", async () => {
    add("1");
    FakeRequest.latest().answer(202, accepted({ document: documentOf({ status: "ready" }) }));
    await tick();
    list.remember();
    expect(sessionStorage.length).toBe(0);
    add("2");
    list.remember();
    list.open("u2");
    expect(list.items).toEqual([]);
  });
});
