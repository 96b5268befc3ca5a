import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMe } from "@/features/session/use-session";
import { $api, api } from "@/lib/api/client";
import { collectPages, keyOf, useInvalidate } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";

export type Collection = components["schemas"]["CollectionResponse"];

const PAGE = 200;
const MAX_COLLECTIONS = 1_000;

export const collectionsQuery = queryOptions({
  queryKey: keyOf("/api/v1/collections", "all"),
  queryFn: ({ signal }) =>
    collectPages<Collection>(
      (place) => api.GET("/api/v1/collections", { params: { query: { limit: PAGE, ...place } }, signal }),
      { max: MAX_COLLECTIONS },
    ),
  staleTime: 60_000,
});

/** List all collections that the person can see, by name. */
export const useCollections = () => useQuery(collectionsQuery);

/** Return a function: may the person change documents of a collection? Without a collection: of any. */
export function useCanWrite(): (collectionId?: string) => boolean {
  const { me } = useMe();
  const collections = useCollections().data ?? [];
  return (collectionId) =>
    Boolean(me?.can_write) &&
    (collectionId === undefined || collections.some((one) => one.id === collectionId && one.can_write));
}

export function useCollectionMutations() {
  const onSuccess = useInvalidate("collections");
  return {
    create: $api.useMutation("post", "/api/v1/collections", { onSuccess }),
    update: $api.useMutation("patch", "/api/v1/collections/{collection_id}", { onSuccess }),
    remove: $api.useMutation("delete", "/api/v1/collections/{collection_id}", { onSuccess }),
  };
}

/** List the members of a collection, and the people who could become members. */
export function useMembers(collectionId: string) {
  const onSuccess = useInvalidate("members");
  const params = { path: { collection_id: collectionId } };
  const path = "/api/v1/collections/{collection_id}/members/{user_id}";
  return {
    members: $api.useQuery("get", "/api/v1/collections/{collection_id}/members", { params }),
    users: $api.useQuery("get", "/api/v1/users", { params: { query: { limit: 200 } } }),
    put: $api.useMutation("put", path, { onSuccess }),
    remove: $api.useMutation("delete", path, { onSuccess }),
  };
}
