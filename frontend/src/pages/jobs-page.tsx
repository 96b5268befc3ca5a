import { Stack, Tabs, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { JobsTable } from "@/features/jobs/jobs-table";
import { JOB_GROUPS, type JobGroup, useJobCount, useShownGroup } from "@/features/jobs/use-jobs";
import { formatNumber } from "@/lib/format";
import { PageHead } from "@/shared/page-head";
import { LoadingState } from "@/shared/states";

const route = getRouteApi("/jobs");

export function JobsPage() {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const state = useShownGroup(
    route.useSearch().state,
    (found) => void navigate({ search: { state: found }, replace: true }),
  );
  return (
    <Stack maw={1080} gap={0}>
      <PageHead title={t("nav.jobs")} />
      <Tabs
        value={state ?? null}
        onChange={(value) => void navigate({ search: { state: value as JobGroup } })}
        keepMounted={false}
      >
        <Tabs.List mb="sm">
          {JOB_GROUPS.map((group) => (
            <Tabs.Tab key={group} value={group}>
              {t(`jobs.group.${group}`)} <Count group={group} />
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {state ? null : <LoadingState />}
        {JOB_GROUPS.map((group) => (
          <Tabs.Panel key={group} value={group}>
            <JobsTable group={group} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

function Count({ group }: { group: JobGroup }) {
  const count = useJobCount(group);
  return count ? (
    <Text span size="xs" c="dimmed">
      {formatNumber(count)}
    </Text>
  ) : null;
}
