import { Button, Stack } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "@/features/session/admins-only";
import { ReprocessAll } from "@/features/system/reprocess-all";
import { StatusTiles } from "@/features/system/status-tiles";
import { SystemCards } from "@/features/system/system-cards";
import { useSystem } from "@/features/system/use-system";
import { PageHead } from "@/shared/page-head";
import { ErrorState, LoadingState } from "@/shared/states";

export function SystemPage() {
  const { t } = useTranslation();
  return (
    <AdminsOnly title={t("nav.system")}>
      <Stack maw={1080} gap="md">
        <Facts />
      </Stack>
    </AdminsOnly>
  );
}

function Facts() {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useSystem();
  return (
    <>
      <PageHead title={t("nav.system")} about={t("system:about")}>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={isFetching && !data}
          onClick={() => void refetch()}
        >
          {t("system:refresh")}
        </Button>
      </PageHead>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <LoadingState /> : null}
      {data ? (
        <>
          <StatusTiles facts={data} />
          <ReprocessAll facts={data} />
          <SystemCards facts={data} />
        </>
      ) : null}
    </>
  );
}
