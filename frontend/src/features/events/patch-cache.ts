import type { QueryClient } from "@tanstack/react-query";
import { isAboutDocument, keyOf } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";
import { type DocumentEvent, newsFields } from "./news";

type Document = components["schemas"]["DocumentResponse"];
type Page<Item> = { items: Item[]; next_cursor?: string | null; total: number };
type ListedJob = components["schemas"]["DocumentJobResponse"];

const DOCUMENT_LISTS = keyOf("/api/v1/documents");
const JOB_LISTS = keyOf("/api/v1/jobs");
const ONE_DOCUMENT = keyOf("/api/v1/documents/{document_id}");

/** Effect of an event on the cache: stale lists need a refetch, moved documents change counts too. */
export interface Effect {
  isStale: boolean;
  isMoved: boolean;
}

/** Bring every cached copy of a document and of its job up to date. */
export function patchCache(client: QueryClient, news: DocumentEvent): Effect {
  const known = patchDocuments(client, news);
  const isJobKnown = patchJobs(client, news);
  const isNew = known.length === 0;
  const hasChangedPlace = known.some((one) => one.deleted_at !== news.deleted_at);
  // News that say nothing new tell of a change that they do not carry: tags, title, collection.
  const isOther = known.some((one) => !differs(one, news));
  const hasEnded = known.some((one) => one.status !== news.status);
  return {
    isStale: isNew || hasChangedPlace || isOther || hasEnded || !isJobKnown,
    isMoved: isNew || hasChangedPlace || isOther,
  };
}

/** The copies as they were before. */
function patchDocuments(client: QueryClient, news: DocumentEvent): Document[] {
  const before: Document[] = [];
  client.setQueriesData<Page<Document>>({ queryKey: DOCUMENT_LISTS }, (page) => {
    const index = page?.items?.findIndex((item) => item.id === news.document_id) ?? -1;
    const item = page?.items[index];
    if (!page || !item) return page;
    before.push(item);
    return { ...page, items: page.items.with(index, { ...item, ...newsFields(news) }) };
  });
  client.setQueriesData<Document>(
    { queryKey: ONE_DOCUMENT, predicate: (query) => isAboutDocument(query, news.document_id) },
    (document) => {
      if (!document) return document;
      before.push(document);
      return { ...document, ...newsFields(news) };
    },
  );
  return before;
}

function differs(document: Document, news: DocumentEvent): boolean {
  const fields = newsFields(news);
  return JSON.stringify(pick(document, fields)) !== JSON.stringify(fields);
}

function pick(document: Document, fields: object): object {
  const pickOf = (whole: object, shape: object): object =>
    Object.fromEntries(
      Object.entries(shape).map(([name, value]) => {
        const own = (whole as Record<string, unknown>)[name];
        return [name, isObject(own) && isObject(value) ? pickOf(own, value) : own];
      }),
    );
  return pickOf(document, fields);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Lists that grow as they are read keep their pages one after another. */
type Listed<Item> = Page<Item> | { pages: Page<Item>[] };

function patchJobs(client: QueryClient, { job, filename }: DocumentEvent): boolean {
  if (!job) return true;
  let isKnown = client.getQueriesData({ queryKey: JOB_LISTS }).length === 0;
  const patch = (page: Page<ListedJob>): Page<ListedJob> => {
    const index = page.items.findIndex((item) => item.id === job.id);
    const before = page.items[index];
    if (!before) return page;
    // A job with a new state belongs to another list, which needs a refetch.
    isKnown ||= before.state === job.state;
    return { ...page, items: page.items.with(index, { filename, ...job }) };
  };
  client.setQueriesData<Listed<ListedJob>>({ queryKey: JOB_LISTS }, (list) => {
    if (!list) return list;
    return "pages" in list ? { ...list, pages: list.pages.map(patch) } : patch(list);
  });
  return isKnown;
}
