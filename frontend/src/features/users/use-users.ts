import { $api } from "@/lib/api/client";
import { CURSOR_LIST, useInvalidate } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";

export type User = components["schemas"]["UserResponse"];
export const ROLES = ["admin", "editor", "reader"] as const;
export type Role = (typeof ROLES)[number];

/** Return the name of a person, or the e-mail address of one without a name. */
export const nameOfUser = ({ name, email }: Pick<User, "name" | "email">) => name || email;

const PAGE = 100;

/** Everybody who may sign in, a page at a time. */
export function useUsers() {
  return $api.useInfiniteQuery("get", "/api/v1/users", { params: { query: { limit: PAGE } } }, CURSOR_LIST);
}

export function useUserMutations() {
  const onSuccess = useInvalidate("users");
  const onTransferred = useInvalidate("owners");
  return {
    create: $api.useMutation("post", "/api/v1/users", { onSuccess }),
    resetFactor: $api.useMutation("delete", "/api/v1/users/{user_id}/second-factor", { onSuccess }),
    transfer: $api.useMutation("post", "/api/v1/users/{user_id}/transfer", { onSuccess: onTransferred }),
    update: $api.useMutation("patch", "/api/v1/users/{user_id}", { onSuccess }),
  };
}
