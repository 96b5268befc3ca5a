import { keepPreviousData } from "@tanstack/react-query";
import { $api } from "@/lib/api/client";
import type { components } from "@/lib/api/schema";
import { type SearchUrl, toRequest } from "./search-url";

export type Hit = components["schemas"]["Hit"];
export type SearchResponse = components["schemas"]["SearchResponse"];

/** The passages for an address; what was found before stays in sight while the next is on its way. */
export function useSearch(url: SearchUrl) {
  const query = url.q?.trim() ?? "";
  return $api.useQuery(
    "post",
    "/api/v1/search",
    { body: toRequest(url, query) },
    { enabled: query.length > 0, placeholderData: keepPreviousData, staleTime: 30_000 },
  );
}
