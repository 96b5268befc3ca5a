import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { keyOf } from "@/lib/api/keys";
import { ApiProblem } from "@/lib/api/problem";

export const isPassing = (error: unknown) => error instanceof ApiProblem && (error.status === 0 || error.status >= 502);

const ME = "/api/v1/auth/me";

/**
 * Refetch the current user after a 401: the session may have ended.
 * Not while nobody is signed in: after a wrong password the sign-in form must stay.
 */
function checkSession(error: unknown, { queryKey }: { queryKey?: readonly unknown[] } = {}): void {
  if (!(error instanceof ApiProblem) || error.status !== 401 || queryKey?.[1] === ME) return;
  if (isSignedIn()) void queryClient.invalidateQueries({ queryKey: keyOf(ME) });
}

/** Return true when the API has said who is signed in. */
const isSignedIn = () => queryClient.getQueriesData({ queryKey: keyOf(ME) }).some(([, known]) => known);

/** The only cache of server state. Temporary faults are retried for 8 seconds, refusals are not. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: checkSession }),
  mutationCache: new MutationCache({ onError: (error) => checkSession(error) }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => isPassing(error) && count < 4,
      retryDelay: (attempt) => 500 * 2 ** attempt,
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});
