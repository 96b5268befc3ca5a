import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { patchCache } from "./patch-cache";
import { documentOf, jobOf, newsOf } from "./test-samples";

const LIST = ["get", "/api/v1/documents", { params: { query: { limit: 50 } } }];
const ONE = ["get", "/api/v1/documents/{document_id}", { params: { path: { document_id: "d1" } } }];
const PAGES = ["get", "/api/v1/documents/{document_id}/pages", { params: { path: { document_id: "d1" } } }];
const JOBS = ["get", "/api/v1/jobs", {}];

function cacheWith(entries: [readonly unknown[], unknown][]) {
  const client = new QueryClient();
  for (const [key, data] of entries) client.setQueryData(key, data);
  return client;
}

describe("news of a document", () => {
  it("move its progress in every list and in the document itself, without asking again", () => {
    const document = documentOf({ id: "d1", status: "processing" });
    const other = documentOf({ id: "d2" });
    const pages = { items: [{ page_number: 1 }], total: 1 };
    const client = cacheWith([
      [LIST, { items: [other, document], total: 2 }],
      [ONE, document],
      [PAGES, pages],
    ]);
    const news = newsOf({
      status: "processing",
      job: jobOf({ stage: "extract", page: 7, page_count: 80, progress: 0.02 }),
    });
    expect(patchCache(client, news)).toEqual({ isStale: false, isMoved: false });
    const list = client.getQueryData<{ items: (typeof document)[] }>(LIST);
    expect(list?.items[1]?.progress).toMatchObject({ page: 7, page_count: 80, share: 0.02 });
    expect(list?.items[0]).toBe(other);
    expect(client.getQueryData<typeof document>(ONE)?.progress?.page).toBe(7);
    expect(client.getQueryData(PAGES)).toBe(pages);
  });

  it("ask lists again when a document ends, because it may belong to another list now", () => {
    const client = cacheWith([[LIST, { items: [documentOf({ id: "d1", status: "processing" })], total: 1 }]]);
    expect(patchCache(client, newsOf({ status: "ready" }))).toEqual({ isStale: true, isMoved: false });
  });

  it("say why a document failed", () => {
    const client = cacheWith([[ONE, documentOf({ id: "d1", status: "processing" })]]);
    patchCache(
      client,
      newsOf({ status: "failed", error_code: "encrypted", error_message: "Locked.", error_hint: "Key." }),
    );
    expect(client.getQueryData(ONE)).toMatchObject({
      status: "failed",
      error: { code: "encrypted", message: "Locked.", hint: "Key." },
    });
  });

  it("of one that is not shown ask lists and counts again", () => {
    const client = cacheWith([[LIST, { items: [], total: 0 }]]);
    expect(patchCache(client, newsOf({}))).toEqual({ isStale: true, isMoved: true });
  });

  it("that carry no difference tell of a change of tags or title: lists and counts are asked again", () => {
    const client = cacheWith([[ONE, documentOf({ id: "d1" })]]);
    expect(patchCache(client, newsOf({}))).toEqual({ isStale: true, isMoved: true });
  });

  it("move a job in its list and ask again when its state changed", () => {
    const job = { ...jobOf({ state: "running", page: 1 }), filename: "report.pdf" };
    const client = cacheWith([
      [JOBS, { items: [job], total: 1 }],
      [ONE, documentOf({ id: "d1", status: "processing" })],
    ]);
    const moving = newsOf({ status: "processing", job: jobOf({ state: "running", page: 2 }) });
    expect(patchCache(client, moving).isStale).toBe(false);
    expect(client.getQueryData<{ items: (typeof job)[] }>(JOBS)?.items[0]).toMatchObject({ page: 2 });
    expect(patchCache(client, newsOf({ status: "processing", job: jobOf({ state: "failed" }) })).isStale).toBe(true);
  });

  it("move a job in a list that grows as it is read, too", () => {
    const job = { ...jobOf({ state: "running", page: 1 }), filename: "report.pdf" };
    const other = { ...job, id: "j9" };
    const client = cacheWith([
      [
        JOBS,
        {
          pages: [
            { items: [other], total: 2 },
            { items: [job], total: 2 },
          ],
          pageParams: [null, "c"],
        },
      ],
      [ONE, documentOf({ id: "d1", status: "processing" })],
    ]);
    const news = newsOf({ status: "processing", job: jobOf({ state: "running", page: 2 }) });
    expect(patchCache(client, news).isStale).toBe(false);
    const list = client.getQueryData<{ pages: { items: (typeof job)[] }[] }>(JOBS);
    expect(list?.pages[1]?.items[0]).toMatchObject({ page: 2, filename: "report.pdf" });
    expect(list?.pages[0]?.items[0]).toBe(other);
  });
});
