import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { SecondFactor } from "@/features/security/second-factor";
import { SessionsList } from "@/features/security/sessions-list";
import { useMe } from "@/features/session/use-session";
import { PageHead } from "@/shared/page-head";

export function SecurityPage() {
  const { t } = useTranslation();
  return (
    <Stack maw={880} gap="lg">
      <PageHead title={t("nav.security")} about={t("security:about")} />
      {useMe().me?.has_password ? <SecondFactor /> : null}
      <SessionsList />
    </Stack>
  );
}
