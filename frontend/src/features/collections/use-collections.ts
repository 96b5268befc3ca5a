import { useQuery, useQueryClient } from "@tanstack/react-query";
import { $api, api } from "@/lib/api/client";
import type { components } from "@/lib/api/schema";

export type Collection = components["schemas"]["CollectionResponse"];

const PAGE = 200;
const MOST = 1_000;
const COLLECTIONS_KEY = ["get", "/api/v1/collections"] as const;

async function fetchCollections(signal: AbortSignal): Promise<Collection[]> {
  const collections: Collection[] = [];
  let cursor: string | null | undefined = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: PAGE, ...(cursor ? { cursor } : {}) };
    const { data, error } = await api.GET("/api/v1/collections", { params: { query }, signal });
    if (!data) throw error;
    collections.push(...data.items);
    cursor = data.next_cursor;
  } while (cursor && collections.length < MOST);
  return collections;
}

/** All collections within reach, by name. */
export function useCollections() {
  return useQuery({
    queryKey: [...COLLECTIONS_KEY, "all"],
    queryFn: ({ signal }) => fetchCollections(signal),
    staleTime: 60_000,
  });
}

export function useCollectionMutations() {
  const client = useQueryClient();
  const onSuccess = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: COLLECTIONS_KEY }),
      client.invalidateQueries({ queryKey: ["get", "/api/v1/documents"] }),
    ]);
  return {
    create: $api.useMutation("post", "/api/v1/collections", { onSuccess }),
    update: $api.useMutation("patch", "/api/v1/collections/{collection_id}", { onSuccess }),
    remove: $api.useMutation("delete", "/api/v1/collections/{collection_id}", { onSuccess }),
  };
}
