import { Alert, Button, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";
import { SignInForm } from "./sign-in-form";
import { rememberWantedPage, SIGN_IN_PATH, wantedPage } from "./wanted-page";

const PROBLEMS = [
  "account_disabled",
  "identity_not_linked",
  "identity_provider_failed",
  "identity_token_invalid",
  "identity_without_email",
  "no_group_for_sign_in",
  "sign_in_not_completed",
  "sign_in_request_expired",
  "too_many_sign_ins",
] as const;

/** The code with which the server sent the browser back to the sign-in page. */
function readProblem(): (typeof PROBLEMS)[number] | "other" | undefined {
  const code = window.location.pathname === SIGN_IN_PATH && new URLSearchParams(window.location.search).get("problem");
  return code ? (PROBLEMS.find((known) => known === code) ?? "other") : undefined;
}

export const useSignInMethods = () => $api.useQuery("get", "/api/v1/auth/methods", {}, { staleTime: 60_000 });

/** Every way to sign in: the form for a password, and the button of the identity provider. */
export function SignInOptions({ email }: { email?: string }) {
  const { t } = useTranslation();
  const { data } = useSignInMethods();
  const problem = readProblem();
  const hasPasswords = data?.has_passwords ?? true;
  return (
    <Stack gap="md">
      {problem ? (
        <Alert color="red" role="alert">
          {t(`signin:problem.${problem}`)}
        </Alert>
      ) : null}
      {hasPasswords ? <SignInForm {...(email ? { email } : {})} /> : null}
      {data?.single_sign_on ? (
        <Button
          component="a"
          href={`/api/v1/auth/single-sign-on?${new URLSearchParams({ next: wantedPage() })}`}
          onClick={rememberWantedPage}
          variant={hasPasswords ? "default" : "filled"}
          fullWidth
        >
          {t("signin:with", { name: data.single_sign_on })}
        </Button>
      ) : null}
    </Stack>
  );
}
