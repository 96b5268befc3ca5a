import { $api } from "@/lib/api/client";
import { useInvalidate } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";

export type ApiKey = components["schemas"]["ApiKeyResponse"];
export type NewKey = components["schemas"]["ApiKeyCreate"];
export type CreatedKey = components["schemas"]["ApiKeyCreated"];

const LIMIT = 200;

export function useKeys() {
  return $api.useQuery("get", "/api/v1/keys", { params: { query: { limit: LIMIT } } });
}

/** The longest lifetime of a key, and what each toolset permits. */
export function useKeyPolicy() {
  return $api.useQuery("get", "/api/v1/keys/policy", {}, { staleTime: Number.POSITIVE_INFINITY }).data;
}

const DAY_MS = 86_400_000;

/** Return the time in so many days, or nothing for an empty text. */
export function inDays(days: string): { expires_at?: string } {
  return days ? { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() } : {};
}

/** Return true for a whole number of days that the policy allows. Empty is allowed if `isOptional`. */
export function isLifetime(
  days: string,
  { maxDays, isOptional }: { maxDays: number | null | undefined; isOptional: boolean },
) {
  if (days === "") return isOptional;
  return /^[1-9]\d{0,3}$/.test(days) && Number(days) <= (maxDays ?? Number.POSITIVE_INFINITY);
}

export function useKeyMutations() {
  const onSuccess = useInvalidate("keys");
  return {
    create: $api.useMutation("post", "/api/v1/keys", { onSuccess }),
    rotate: $api.useMutation("post", "/api/v1/keys/{key_id}/rotate", { onSuccess }),
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
