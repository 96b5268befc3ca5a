import { $api } from "@/lib/api/client";
import { useInvalidate } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";

export type SignInSettings = components["schemas"]["SignInSettingsResponse"];
export type GroupMapping = components["schemas"]["GroupMapping"];

export const useSignInSettings = () => $api.useQuery("get", "/api/v1/sign-in-settings");

export function useUpdateSignInSettings() {
  const onSuccess = useInvalidate("signInSettings");
  return $api.useMutation("put", "/api/v1/sign-in-settings", { onSuccess });
}
