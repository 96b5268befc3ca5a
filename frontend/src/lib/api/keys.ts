import { type Query, type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import type { paths } from "./schema";

/** A path that answers GET. */
export type GetPath = {
  [Path in keyof paths]: paths[Path] extends { get: { responses: object } } ? Path : never;
}[keyof paths];

/** Return the beginning of the key under which `$api` caches what a path answered. */
export const keyOf = (path: GetPath, ...rest: readonly unknown[]): QueryKey => ["get", path, ...rest];

/** The answers that are stale after something of a kind has changed. */
const STALE_AFTER = {
  answers: ["/api/v1/answers", "/api/v1/threads", "/api/v1/threads/{thread_id}"],
  collections: ["/api/v1/collections", "/api/v1/documents"],
  counts: ["/api/v1/tags", "/api/v1/collections"],
  documents: ["/api/v1/documents", "/api/v1/documents/{document_id}", "/api/v1/tags", "/api/v1/collections"],
  owners: [
    "/api/v1/documents",
    "/api/v1/documents/{document_id}/grants",
    "/api/v1/tags",
    "/api/v1/tags/{tag_id}/grants",
  ],
  folders: ["/api/v1/collections/{collection_id}/folder"],
  grants: ["/api/v1/documents/{document_id}/grants"],
  golden: ["/api/v1/evaluations/golden"],
  jobs: ["/api/v1/jobs", "/api/v1/documents"],
  keys: ["/api/v1/keys"],
  members: ["/api/v1/collections/{collection_id}/members"],
  notes: ["/api/v1/documents/{document_id}/notes"],
  secondFactor: ["/api/v1/auth/second-factor"],
  session: ["/api/v1/auth/me"],
  sessions: ["/api/v1/auth/sessions"],
  tags: ["/api/v1/tags", "/api/v1/documents", "/api/v1/documents/{document_id}"],
  tagGrants: ["/api/v1/tags/{tag_id}/grants"],
  signInSettings: ["/api/v1/sign-in-settings", "/api/v1/auth/methods"],
  users: ["/api/v1/users"],
  webhooks: ["/api/v1/webhooks", "/api/v1/webhooks/{webhook_id}/deliveries"],
  versions: ["/api/v1/documents/{document_id}/versions"],
} as const satisfies Record<string, readonly GetPath[]>;

export type Change = keyof typeof STALE_AFTER;

/** Refetch what changes of these kinds made stale. */
export async function invalidate(client: QueryClient, ...changes: Change[]): Promise<void> {
  const stale = new Set(changes.flatMap((change) => STALE_AFTER[change] as readonly GetPath[]));
  await Promise.all([...stale].map((path) => refetch(client, keyOf(path))));
}

/** Refetch the queries below a key. A first answer on its way may be older than the change: it is fetched twice. */
async function refetch(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const isFirst = ({ state }: Query) => state.data === undefined && state.fetchStatus === "fetching";
  const first = new Set(client.getQueryCache().findAll({ queryKey, predicate: isFirst }));
  await client.invalidateQueries({ queryKey });
  if (first.size > 0) await client.invalidateQueries({ queryKey, predicate: (query) => first.has(query) });
}

/** Return a function that refetches what changes of these kinds made stale. */
export function useInvalidate(...changes: Change[]): () => Promise<void> {
  const client = useQueryClient();
  return () => invalidate(client, ...changes);
}

interface KeyParameters {
  params?: { path?: { document_id?: string } };
}

/** Match the queries of one document: the document itself, its pages, its chunks. Without an id, of any document. */
export function isAboutDocument({ queryKey: [, path, parameters] }: Query, documentId?: string): boolean {
  if (documentId) return (parameters as KeyParameters | undefined)?.params?.path?.document_id === documentId;
  return typeof path === "string" && path.startsWith("/api/v1/documents/{document_id}");
}

/** Options of an infinite query for a list with cursors. */
export const CURSOR_LIST = {
  pageParamName: "cursor",
  initialPageParam: null,
  getNextPageParam: (last: { next_cursor?: string | null }) => last.next_cursor ?? undefined,
};

interface ListPage<Item> {
  items: Item[];
  next_cursor?: string | null;
}

/** Collect the items of all pages of a list, up to about `max`. */
export async function collectPages<Item>(
  fetchPage: (place: { cursor?: string }) => Promise<{ data?: ListPage<Item> }>,
  { max = Number.POSITIVE_INFINITY } = {},
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null | undefined;
  do {
    const { data } = await fetchPage(cursor ? { cursor } : {});
    items.push(...(data?.items ?? []));
    cursor = data?.next_cursor;
  } while (cursor && items.length < max);
  return items;
}
