import { $api } from "@/lib/api/client";
import { useInvalidate } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";

export type ApiKey = components["schemas"]["ApiKeyResponse"];
export type CreatedKey = components["schemas"]["ApiKeyCreated"];

const LIMIT = 200;

export function useKeys() {
  return $api.useQuery("get", "/api/v1/keys", { params: { query: { limit: LIMIT } } });
}

export function useKeyMutations() {
  const onSuccess = useInvalidate("keys");
  return {
    create: $api.useMutation("post", "/api/v1/keys", { onSuccess }),
    revoke: $api.useMutation("delete", "/api/v1/keys/{key_id}", { onSuccess }),
  };
}

/** Count the documents that a key would see. Undefined if documents and other filters are combined. */
export function useVisibleCount(scope: {
  tags: string[];
  collections: string[];
  documents: string[];
}): number | undefined {
  const query = {
    limit: 1,
    ...(scope.tags.length > 0 ? { tags: scope.tags } : {}),
    ...(scope.collections.length > 0 ? { collections: scope.collections } : {}),
  };
  const isNarrowed = scope.tags.length + scope.collections.length > 0;
  const counted = $api.useQuery("get", "/api/v1/documents", { params: { query } }).data?.total;
  if (scope.documents.length === 0) return counted;
  return isNarrowed ? undefined : scope.documents.length;
}
