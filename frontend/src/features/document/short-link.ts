import { useQuery } from "@tanstack/react-query";
import { $api } from "@/lib/api/client";
import { compact } from "@/lib/search-params";

const SHORT_LINK =
  /^(?<handle>[0-9a-f-]{8,36})(?:\/(?<page>\d{1,7})(?<more>-\d{1,7})?(?:\/(?<start>\d+)-(?<end>\d+))?)?$/;

/** Read `handle/page/start-end`. Of several pages the reader finds the one with the characters itself. */
export function readShortLink(path: string) {
  const { handle, page, more, start, end } = SHORT_LINK.exec(path)?.groups ?? {};
  if (handle === undefined) return undefined;
  const numbers = { page: more && start ? undefined : page, start, end };
  const search = Object.entries(numbers).map(([name, value]) => [name, value === undefined ? value : Number(value)]);
  return { handle, search: compact(Object.fromEntries(search) as Partial<Record<"page" | "start" | "end", number>>) };
}

/** Find the document of a handle, the first digits of its id. */
export function useDocumentOf(handle: string) {
  const query = { params: { query: { name: handle } } };
  return useQuery({ ...$api.queryOptions("get", "/api/v1/documents/named", query), enabled: handle !== "" });
}
