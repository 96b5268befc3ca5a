import { QueryClient } from "@tanstack/react-query";
import { ApiProblem } from "@/lib/api/problem";

const isPassing = (error: unknown) =>
  error instanceof ApiProblem && (error.status === 0 || error.status >= 502);

/** Server state lives here only. Passing faults are tried again; refusals are shown at once. */
export const queryClient = new QueryClient({
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
