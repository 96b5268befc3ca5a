import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { $api, api } from "@/lib/api/client";
import { ApiProblem } from "@/lib/api/problem";
import type { components } from "@/lib/api/schema";
import { createStore } from "@/lib/create-store";
import { i18n } from "@/lib/i18n/i18n";
import { notifyError } from "@/shared/notify";

export type Me = components["schemas"]["PrincipalResponse"];

export const meQuery = () => $api.queryOptions("get", "/api/v1/auth/me", {}, { staleTime: 60_000, retry: false });

/** Return the signed-in person: `undefined` while unknown, `null` if nobody is signed in. */
export function useMe(): { me: Me | null | undefined; error: unknown; refetch: () => void } {
  const query = useQuery({ ...meQuery(), retryOnMount: false });
  const isSignedOut = query.error instanceof ApiProblem && query.error.status === 401;
  return {
    me: isSignedOut ? null : query.data,
    error: isSignedOut ? null : query.error,
    refetch: () => void query.refetch(),
  };
}

/** Load everything again. Throws if the browser did not keep the cookie of the new session. */
function useStartSession() {
  const queryClient = useQueryClient();
  return async () => {
    await queryClient.invalidateQueries();
    const error = queryClient.getQueryState(meQuery().queryKey)?.error as unknown;
    if (!(error instanceof ApiProblem && error.status === 401)) return;
    const detail = i18n.t("account.sessionNotKept");
    throw new ApiProblem({ status: 400, code: "session_not_kept", title: "", detail });
  };
}

export function useSignIn() {
  return $api.useMutation("post", "/api/v1/auth/sign-in", { onSuccess: useStartSession() });
}

/** The second step of signing in. */
export function useCodeSignIn() {
  return $api.useMutation("post", "/api/v1/auth/sign-in/second-factor", { onSuccess: useStartSession() });
}

const leaving = createStore(false);

/** Return true from signing out until the page is gone: whatever it loads now is refused. */
export const useIsLeaving = leaving.use;

function leave(address = "/"): void {
  leaving.set(true);
  window.addEventListener("pageshow", () => window.location.reload()); // a browser may keep the page for its back button
  window.location.assign(address);
}

export function useSignOut() {
  const queryClient = useQueryClient();
  return async () => {
    leaving.set(true);
    try {
      await queryClient.cancelQueries();
      const { data } = await api.POST("/api/v1/auth/sign-out");
      leave(data?.redirect_to ?? "/");
    } catch (error) {
      leaving.set(false);
      notifyError(error);
    }
  };
}

export const useSignOutEverywhere = () =>
  $api.useMutation("post", "/api/v1/auth/sign-out-everywhere", { onSuccess: () => leave() });

/**
 * Return the person whose page this is. It stays the same person while the session has ended.
 * `isAnother` means that somebody else has signed in, who must not see the first person's data.
 */
export function usePerson(): {
  person: Me | undefined;
  isAnother: boolean;
  hasEnded: boolean;
  error: unknown;
  refetch: () => void;
} {
  const { me, error, refetch } = useMe();
  const [person, setPerson] = useState<Me | undefined>(me ?? undefined);
  const isAnother = Boolean(me && person && me.id !== person.id);
  if (me && me !== person && !isAnother) setPerson(me);
  return { person, isAnother, hasEnded: me === null, error, refetch };
}
