import type { components } from "@/lib/api/schema";

export type AuthorizationRequest = components["schemas"]["AuthorizationRequest"];

const PARAMETERS = [
  "client_id",
  "redirect_uri",
  "response_type",
  "code_challenge",
  "code_challenge_method",
  "state",
  "scope",
  "resource",
] as const;

/** Return the parameters with which an app sent the person here, exactly as they came. Unknown ones are ignored. */
export function readAuthorizationRequest(query: string): AuthorizationRequest | undefined {
  const given = new URLSearchParams(query);
  const request = Object.fromEntries(
    PARAMETERS.flatMap((name) => {
      const value = given.get(name);
      return value === null ? [] : [[name, value]];
    }),
  ) as Partial<AuthorizationRequest>;
  return request.client_id && request.redirect_uri ? (request as AuthorizationRequest) : undefined;
}

/** The request in the first address of this window. The router rewrites the address: it reads numbers into texts. */
export const ARRIVAL = readAuthorizationRequest(window.location.search);
