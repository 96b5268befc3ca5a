import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ARRIVAL } from "@/features/consent/authorization-request";
import { ConsentScreen } from "@/features/consent/consent-screen";
import { usePageTitle } from "@/shared/page-title";
import { EmptyState } from "@/shared/states";

const leave = (address: string) => window.location.assign(address);

export function ConsentPage() {
  const { t } = useTranslation();
  usePageTitle(t("keys:consent.page"));
  if (!ARRIVAL)
    return (
      <EmptyState level={1} title={t("keys:consent.page")}>
        {t("keys:consent.startInApp")}
      </EmptyState>
    );
  return (
    <Stack maw={820} mx="auto">
      <ConsentScreen request={ARRIVAL} leave={leave} />
    </Stack>
  );
}
