import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { $api, api } from "@/lib/api/client";
import { ApiProblem } from "@/lib/api/problem";
import type { components } from "@/lib/api/schema";
import { colorOfName } from "./tag-colors";

export type Tag = components["schemas"]["TagResponse"];

const PAGE = 200;
const MOST = 2_000;
const TAGS_KEY = ["get", "/api/v1/tags"] as const;
const EMPTY: ReadonlyMap<string, Tag> = new Map();

/** All tags by lower-case name, in the order of names: colours and suggestions come from here. */
async function fetchTags(signal: AbortSignal): Promise<ReadonlyMap<string, Tag>> {
  const tags = new Map<string, Tag>();
  let cursor: string | null | undefined = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: PAGE, ...(cursor ? { cursor } : {}) };
    const { data, error } = await api.GET("/api/v1/tags", { params: { query }, signal });
    if (!data) throw error;
    for (const tag of data.items) tags.set(tag.name.toLowerCase(), tag);
    cursor = data.next_cursor;
  } while (cursor && tags.size < MOST);
  return tags;
}

export function useTagsQuery() {
  return useQuery({
    queryKey: [...TAGS_KEY, "all"],
    queryFn: ({ signal }) => fetchTags(signal),
    staleTime: 60_000,
  });
}

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
    if (missing.length > 0) await client.invalidateQueries({ queryKey: TAGS_KEY });
  };
}

/** After any change of tags: their list, and the documents that show them. */
function useTagsChanged() {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: TAGS_KEY }),
      client.invalidateQueries({ queryKey: ["get", "/api/v1/documents"] }),
      client.invalidateQueries({ queryKey: ["get", "/api/v1/documents/{document_id}"] }),
    ]);
}

export function useTagMutations() {
  const onSuccess = useTagsChanged();
  return {
    create: $api.useMutation("post", "/api/v1/tags", { onSuccess }),
    update: $api.useMutation("patch", "/api/v1/tags/{tag_id}", { onSuccess }),
    remove: $api.useMutation("delete", "/api/v1/tags/{tag_id}", { onSuccess }),
    merge: $api.useMutation("post", "/api/v1/tags/{tag_id}/merge", { onSuccess }),
  };
}
