import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { keyOf } from "@/lib/api/keys";
import { ApiProblem } from "@/lib/api/problem";

const isPassing = (error: unknown) => error instanceof ApiProblem && (error.status === 0 || error.status >= 502);

const ME = "/api/v1/auth/me";

/**
 * Whoever was signed in and is refused as a stranger may have been signed out: that is asked again, and said in one
 * place. Where nobody was (a wrong password), it is not: the form would be taken off the page meanwhile.
 */
function lookWhoIsSignedIn(error: unknown, { queryKey }: { queryKey?: readonly unknown[] } = {}): void {
  if (!(error instanceof ApiProblem) || error.status !== 401 || queryKey?.[1] === ME) return;
  if (isSignedIn()) void queryClient.invalidateQueries({ queryKey: keyOf(ME) });
}

/** Return true when the API has said who is signed in. */
export const isSignedIn = () => queryClient.getQueriesData({ queryKey: keyOf(ME) }).some(([, known]) => known);

/** Server state lives here only. Passing faults are tried again; refusals are shown at once. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: lookWhoIsSignedIn }),
  mutationCache: new MutationCache({ onError: (error) => lookWhoIsSignedIn(error) }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => isPassing(error) && count < 5,
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 8_000),
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});
