import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { $api, api } from "@/lib/api/client";
import { collectPages, keyOf, useInvalidate } from "@/lib/api/keys";
import { ApiProblem } from "@/lib/api/problem";
import type { components } from "@/lib/api/schema";
import { colorOfName, colorOfTag } from "./tag-colors";

export type Tag = components["schemas"]["TagResponse"];

const PAGE = 200;
const MAX_TAGS = 2_000;
const EMPTY: ReadonlyMap<string, Tag> = new Map();

/** List all tags by lower-case name, in the order of names. Colours and suggestions come from here. */
async function fetchTags(signal: AbortSignal): Promise<ReadonlyMap<string, Tag>> {
  const tags = await collectPages<Tag>(
    (place) => api.GET("/api/v1/tags", { params: { query: { limit: PAGE, ...place } }, signal }),
    { max: MAX_TAGS },
  );
  return new Map(tags.map((tag) => [tag.name.toLowerCase(), { ...tag, color: colorOfTag(tag) }]));
}

export const tagsQuery = queryOptions({
  queryKey: keyOf("/api/v1/tags", "all"),
  queryFn: ({ signal }) => fetchTags(signal),
  staleTime: 60_000,
});

export const useTagsQuery = () => useQuery(tagsQuery);

export function useTagMap(): ReadonlyMap<string, Tag> {
  return useTagsQuery().data ?? EMPTY;
}

export function useTagColor(): (name: string) => string | undefined {
  const tags = useTagMap();
  return useCallback((name) => tags.get(name.toLowerCase())?.color, [tags]);
}

/**
 * Give tags that do not exist yet a colour of their own; documents can carry them afterwards. Who may not make tags
 * gets the answer of the request that uses them.
 */
export function useEnsureTags() {
  const client = useQueryClient();
  const known = useTagMap();
  return async (names: readonly string[]) => {
    const missing = names.filter((name) => !known.has(name.toLowerCase()));
    for (const name of missing) {
      try {
        await api.POST("/api/v1/tags", { body: { name, color: colorOfName(name), description: "" } });
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.status === 0) throw error;
      }
    }
    if (missing.length > 0) await client.invalidateQueries({ queryKey: keyOf("/api/v1/tags") });
  };
}

export function useTagMutations() {
  const onSuccess = useInvalidate("tags");
  return {
    create: $api.useMutation("post", "/api/v1/tags", { onSuccess }),
    update: $api.useMutation("patch", "/api/v1/tags/{tag_id}", { onSuccess }),
    remove: $api.useMutation("delete", "/api/v1/tags/{tag_id}", { onSuccess }),
    merge: $api.useMutation("post", "/api/v1/tags/{tag_id}/merge", { onSuccess }),
  };
}
