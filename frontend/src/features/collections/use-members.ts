import { useQueryClient } from "@tanstack/react-query";
import { $api } from "@/lib/api/client";

/** Who reaches a closed collection, and the people who might. */
export function useMembers(collectionId: string) {
  const client = useQueryClient();
  const params = { path: { collection_id: collectionId } };
  const key = ["get", "/api/v1/collections/{collection_id}/members", { params }];
  const members = $api.useQuery("get", "/api/v1/collections/{collection_id}/members", { params });
  const users = $api.useQuery("get", "/api/v1/users", { params: { query: { limit: 200 } } });
  const put = $api.useMutation("put", "/api/v1/collections/{collection_id}/members/{user_id}", {
    onSuccess: (data) => client.setQueryData(key, data),
  });
  const remove = $api.useMutation("delete", "/api/v1/collections/{collection_id}/members/{user_id}", {
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  });
  return { members, users, put, remove };
}
