import { $api } from "@/lib/api/client";
import { useInvalidate } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";

export type Session = components["schemas"]["SessionResponse"];

export const useSecondFactor = () => $api.useQuery("get", "/api/v1/auth/second-factor");

export function useSecondFactorMutations() {
  const onSuccess = useInvalidate("secondFactor", "users");
  return {
    begin: $api.useMutation("post", "/api/v1/auth/second-factor"),
    confirm: $api.useMutation("post", "/api/v1/auth/second-factor/confirm", { onSuccess }),
    disable: $api.useMutation("post", "/api/v1/auth/second-factor/disable", { onSuccess }),
  };
}

export const useSessions = () => $api.useQuery("get", "/api/v1/auth/sessions");

export const useEndSession = () =>
  $api.useMutation("delete", "/api/v1/auth/sessions/{session_id}", { onSuccess: useInvalidate("sessions") });
