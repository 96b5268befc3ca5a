import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { $api } from "@/lib/api/client";
import type { components } from "@/lib/api/schema";
import { type SearchUrl, toRequest } from "./search-url";

export type ExplainedFeature = components["schemas"]["ExplainedFeature"];
export type Hit = components["schemas"]["Hit"];
export type SearchResponse = components["schemas"]["SearchResponse"];

export const searchQuery = (url: SearchUrl) =>
  $api.queryOptions("post", "/api/v1/search", { body: toRequest(url, url.q?.trim() ?? "") }, { staleTime: 30_000 });

/**
 * The passages for an address; what was found before stays in sight while the next is on its way. Where hits have none
 * of the question's words, their snippets follow a moment later, cut around the sentence that is nearest in meaning.
 */
export function useSearch(url: SearchUrl) {
  const query = url.q?.trim() ?? "";
  const body = toRequest(url, query);
  const found = useQuery({ ...searchQuery(url), enabled: query.length > 0, placeholderData: keepPreviousData });
  const lacksWords = !found.isPlaceholderData && (found.data?.data.some((hit) => hit.sentence === null) ?? false);
  const nearest = $api.useQuery(
    "post",
    "/api/v1/search",
    { body: { ...body, nearest_sentence: true } },
    { enabled: query.length > 0 && lacksWords, staleTime: 30_000, retry: false },
  );
  // a query drops its error while it retries: keep the reason until there is an answer
  const [reason, setReason] = useState<unknown>(null);
  if (nearest.error && nearest.error !== reason) setReason(nearest.error);
  const isNearestLost = lacksWords && !nearest.data && nearest.errorUpdateCount > 0;
  return {
    ...found,
    data: (lacksWords ? nearest.data : undefined) ?? found.data,
    /** The reason why the nearest sentences are missing. The hits do not need them. */
    nearestError: isNearestLost ? reason : null,
    isNearestFetching: nearest.isFetching,
    refetchNearest: nearest.refetch,
  };
}
