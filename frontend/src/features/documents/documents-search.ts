import type { components, operations } from "@/lib/api/schema";
import { type Changes, compact, days, flag, integer, list, oneOf, startOfDay, text } from "@/lib/search-params";

export type ListQuery = NonNullable<operations["list_documents"]["parameters"]["query"]>;
export type DocumentFilter = components["schemas"]["DocumentFilter"];
export type Status = components["schemas"]["DocumentResponse"]["status"];

export const STATUSES = ["queued", "processing", "ready", "failed"] as const satisfies readonly Status[];
export const SORTS = [
  "-created_at",
  "created_at",
  "title",
  "-title",
  "filename",
  "-filename",
  "size_bytes",
  "-size_bytes",
  "page_count",
  "-page_count",
  "status",
  "-status",
] as const satisfies readonly ListQuery["sort"][];
export type Sort = (typeof SORTS)[number];
export const CONTENT_TYPES = [
  "application/pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.oasis.opendocument.text",
  "application/vnd.oasis.opendocument.spreadsheet",
  "application/vnd.oasis.opendocument.presentation",
  "application/epub+zip",
  "message/rfc822",
  "application/mbox",
  "application/vnd.ms-outlook",
  "image/jpeg",
  "image/png",
  "image/tiff",
  "image/webp",
  "text/calendar",
  "text/csv",
  "text/html",
  "text/markdown",
  "text/plain",
] as const;
export const PAGE_SIZES = [25, 50, 100];
const DEFAULT_SORT: Sort = "-created_at";
export const DEFAULT_PAGE_SIZE = 25;

/** Read the state of the documents page from the address. */
export function readDocumentsSearch(raw: Record<string, unknown>) {
  const cursor = text(raw, "cursor");
  return compact({
    q: text(raw, "q")?.slice(0, 200),
    tags: list(raw, "tags"),
    allTags: list(raw, "allTags"),
    noTags: list(raw, "noTags"),
    untagged: flag(raw, "untagged") || (undefined as boolean | undefined),
    shared: flag(raw, "shared") || (undefined as boolean | undefined),
    collections: list(raw, "collections"),
    status: some(list(raw, "status")?.filter((value): value is Status => STATUSES.includes(value as Status))),
    types: list(raw, "types"),
    languages: some(list(raw, "languages")?.filter((code) => /^[a-z]{2}$/.test(code))),
    ...days(raw),
    sort: oneOf(raw, "sort", SORTS),
    limit: PAGE_SIZES.find((size) => size === integer(raw, "limit", { min: 1, max: 200 })),
    cursor,
    page: cursor ? integer(raw, "page", { min: 2, max: 1_000_000 }) : undefined,
  });
}

export type DocumentsSearch = ReturnType<typeof readDocumentsSearch>;

const some = <T>(items: T[] | undefined) => (items && items.length > 0 ? items : undefined);

/** Return the filter of `POST /documents/bulk` that matches every document of the list. */
export function toFilter(search: DocumentsSearch): DocumentFilter {
  return {
    tags: search.tags ?? [],
    tags_all: search.allTags ?? [],
    tags_none: search.noTags ?? [],
    is_untagged: search.untagged ?? false,
    is_shared_with_me: search.shared ?? false,
    collections: search.collections ?? [],
    status: search.status ?? [],
    content_type: search.types ?? [],
    language: search.languages ?? [],
    q: search.q ?? null,
    created_from: search.from ? startOfDay(search.from) : null,
    created_to: search.to ? startOfDay(search.to, 1) : null,
    is_deleted: false,
  };
}

/** Return the query of the list, without empty conditions. */
export function toListQuery(search: DocumentsSearch): ListQuery {
  const filter = Object.entries(toFilter(search)).filter(
    ([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
  );
  return {
    ...Object.fromEntries(filter),
    sort: search.sort ?? DEFAULT_SORT,
    limit: search.limit ?? DEFAULT_PAGE_SIZE,
    ...(search.cursor ? { cursor: search.cursor } : {}),
  };
}

const CONDITIONS = [
  "q",
  "tags",
  "allTags",
  "noTags",
  "untagged",
  "shared",
  "collections",
  "status",
  "types",
  "languages",
  "from",
  "to",
] as const satisfies readonly (keyof DocumentsSearch)[];

/** Without the conditions; order and page size stay. */
export function withoutConditions({ sort, limit }: DocumentsSearch): DocumentsSearch {
  return compact({ sort, limit });
}

export function countConditions(search: DocumentsSearch): number {
  return CONDITIONS.reduce((sum, name) => {
    const value = search[name];
    return sum + (Array.isArray(value) ? value.length : value === undefined ? 0 : 1);
  }, 0);
}

/** Return the conditions and the order, without the position in the list. */
export function asView({ cursor: _, page: __, ...view }: DocumentsSearch): DocumentsSearch {
  return view;
}

/** A change of conditions starts at the first page again; what becomes empty leaves the address. */
export function changed(search: DocumentsSearch, change: Changes<DocumentsSearch>): DocumentsSearch {
  return readDocumentsSearch({ ...asView(search), ...change });
}

/** Languages that the API detects by default (LECTERN_LANGUAGES). */
export const LANGUAGES = ["en", "it", "de", "fr", "es", "pt", "nl"] as const;
