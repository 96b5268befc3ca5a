import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "@/features/session/admins-only";
import { AuditLog } from "@/features/system/audit-log";
import { SystemCards } from "@/features/system/system-cards";
import { SystemHealth } from "@/features/system/system-health";
import { useSystem } from "@/features/system/use-system";
import { PageHead } from "@/shared/page-head";
import { ErrorState, LoadingState } from "@/shared/states";

export function SystemPage() {
  const { t } = useTranslation();
  return (
    <AdminsOnly title={t("nav.system")}>
      <Stack maw={1080} gap="md">
        <Facts />
        <section aria-labelledby="audit-log">
          <Title order={2} size="h4" id="audit-log">
            {t("system:logTitle")}
          </Title>
          <Group justify="space-between" mb="xs">
            <Text c="dimmed" size="sm">
              {t("system:logAbout")}
            </Text>
            <Button component="a" href="/api/v1/system/audit/export" download variant="default" size="xs">
              {t("system:logExport")}
            </Button>
          </Group>
          <AuditLog />
        </section>
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
          <SystemHealth facts={data} />
          <SystemCards facts={data} />
        </>
      ) : null}
    </>
  );
}
