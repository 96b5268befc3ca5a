import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { nameOfKey } from "@/features/keys/name-of-key";
import { nameOfUser } from "@/features/users/use-users";
import { $api } from "@/lib/api/client";

const LIMIT = 200;

/** Return the names of the actors `user:<id>` and `key:<id>`. */
export function useActors(): ReadonlyMap<string, string> {
  const { t } = useTranslation();
  const users = $api.useQuery("get", "/api/v1/users", { params: { query: { limit: LIMIT } } });
  const keys = $api.useQuery("get", "/api/v1/keys", { params: { query: { limit: LIMIT } } });
  return useMemo(
    () =>
      new Map<string, string>([
        ...(users.data?.items ?? []).map((user) => [`user:${user.id}`, nameOfUser(user)] as const),
        ...(keys.data?.items ?? []).map((key) => [`key:${key.id}`, nameOfKey(key, t)] as const),
      ]),
    [users.data, keys.data, t],
  );
}

/** Return a function that names an actor. Unknown actors keep their id. */
export function useActorName(): (actor: string) => string {
  const { t } = useTranslation();
  const names = useActors();
  return useCallback((actor) => names.get(actor) ?? t(`system:actor.${actor}`, { defaultValue: actor }), [names, t]);
}
