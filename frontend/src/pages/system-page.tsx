import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "@/features/session/admins-only";
import { AuditLog } from "@/features/system/audit-log";
import { SystemCards } from "@/features/system/system-cards";
import { SystemHealth } from "@/features/system/system-health";
import { useSystem } from "@/features/system/use-system";
import { ErrorState, LoadingState, PageHeading } from "@/shared/states";

export function SystemPage() {
  const { t } = useTranslation();
  return (
    <AdminsOnly title={t("nav.system")}>
      <Stack maw={1080} mx="auto" gap="md">
        <Facts />
        <section aria-labelledby="audit-log">
          <Title order={2} size="h4" id="audit-log">
            {t("system:logTitle")}
          </Title>
          <Text c="dimmed" size="sm" mb="xs">
            {t("system:logAbout")}
          </Text>
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
      <Group justify="space-between">
        <PageHeading>{t("nav.system")}</PageHeading>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={isFetching && !data}
          onClick={() => void refetch()}
        >
          {t("system:refresh")}
        </Button>
      </Group>
      <Text c="dimmed">{t("system:about")}</Text>
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
