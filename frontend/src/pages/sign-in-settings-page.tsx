import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "@/features/session/admins-only";
import { SignInSettingsForm } from "@/features/sign-in/sign-in-settings-form";
import { useSignInSettings } from "@/features/sign-in/use-sign-in-settings";
import { PageHead } from "@/shared/page-head";
import { ErrorState, LoadingState } from "@/shared/states";

export function SignInSettingsPage() {
  const { t } = useTranslation();
  return (
    <AdminsOnly title={t("nav.signIn")}>
      <Stack maw={880} gap="lg">
        <PageHead title={t("nav.signIn")} about={t("signin:about")} />
        <Settings />
      </Stack>
    </AdminsOnly>
  );
}

function Settings() {
  const { data, error, refetch } = useSignInSettings();
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return data ? <SignInSettingsForm settings={data} /> : <LoadingState />;
}
