import createFetchClient from "openapi-fetch";
import createQueryClient from "openapi-react-query";
import { ApiProblem, toProblem } from "./problem";
import type { paths } from "./schema";
import { refreshSession } from "./session-refresh";

// `fetch` is looked up at each call, not captured, so that tests can replace it.
const lateFetch = (request: Request) => globalThis.fetch(request);

export const api = createFetchClient<paths>({
  baseUrl: "",
  credentials: "same-origin",
  headers: { "X-Requested-With": "lectern" },
  fetch: lateFetch,
});

/** Paths whose 401 does not mean an expired session. */
const WITHOUT_REFRESH = /\/auth\/(sign-in(\/second-factor)?|refresh|sign-out)$/;
const retryable = new WeakMap<Request, Request>();

api.use({
  onRequest({ request }) {
    retryable.set(request, request.clone());
    return request;
  },
  async onResponse({ request, response }) {
    if (response.status === 401 && !WITHOUT_REFRESH.test(new URL(request.url).pathname)) {
      const again = retryable.get(request);
      if (again && (await refreshSession())) {
        const repeated = await lateFetch(again);
        if (repeated.ok) return repeated;
        throw await toProblem(repeated);
      }
    }
    if (!response.ok) throw await toProblem(response);
    return response;
  },
  onError({ error }) {
    if (error instanceof ApiProblem) return error;
    return new ApiProblem({ status: 0, code: "unreachable", title: "", detail: String(error) });
  },
});

/** TanStack Query hooks over the same client: `$api.useQuery("get", "/api/v1/tags")`. */
export const $api = createQueryClient(api);
