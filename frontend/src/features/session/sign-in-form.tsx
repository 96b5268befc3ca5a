import { Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { ApiProblem } from "@/lib/api/problem";
import { focusOnMount } from "@/shared/focus-on-mount";
import { errorText } from "@/shared/notify";
import { PasswordInput } from "@/shared/password-input";
import { ProblemAlert } from "@/shared/states";
import { CodeForm } from "./code-form";
import { useSignIn } from "./use-session";

function messageOf(error: unknown, t: TFunction): string {
  if (!(error instanceof ApiProblem)) return errorText(error);
  if (error.status === 401) return t("account.signInFailed");
  if (error.status === 429) return t("account.tooMany", { seconds: error.details.retry_after_seconds ?? 60 });
  return errorText(error);
}

/** The token of the first step, if the password was right and a code is needed. */
const challengeOf = (error: unknown) =>
  error instanceof ApiProblem && error.code === "second_factor_required" ? String(error.details.challenge_token) : null;

/** `email` is who is known already: only the password is left to be typed then. */
export function SignInForm({ email = "", onDone }: { email?: string; onDone?: () => void }) {
  const { t } = useTranslation();
  const signIn = useSignIn();
  const form = useForm({ mode: "uncontrolled", initialValues: { email, password: "" } });
  const challenge = challengeOf(signIn.error);
  if (challenge) return <CodeForm challenge={challenge} onBack={signIn.reset} onDone={onDone} />;

  return (
    <form
      onSubmit={form.onSubmit((values) =>
        signIn.mutate({ body: { ...values, use_cookies: true } }, { onSuccess: () => onDone?.() }),
      )}
    >
      <Stack gap="md">
        <ProblemAlert error={signIn.error}>{signIn.error ? messageOf(signIn.error, t) : null}</ProblemAlert>
        <TextInput
          label={t("account.email")}
          type="email"
          autoComplete="username"
          required
          ref={email ? undefined : focusOnMount}
          data-autofocus={email ? undefined : true}
          key={form.key("email")}
          {...form.getInputProps("email")}
        />
        <PasswordInput
          label={t("account.password")}
          autoComplete="current-password"
          required
          data-autofocus={email ? true : undefined}
          key={form.key("password")}
          {...form.getInputProps("password")}
        />
        <Button type="submit" loading={signIn.isPending} fullWidth>
          {t("account.signIn")}
        </Button>
      </Stack>
    </form>
  );
}
