import { Stack, Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { JobsList } from "@/features/jobs/jobs-list";
import { JOB_GROUPS, type JobGroup, useShownGroup } from "@/features/jobs/use-jobs";
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
    <Stack maw={880} gap={0}>
      <PageHead title={t("nav.jobs")} />
      <Tabs
        value={state ?? null}
        onChange={(value) => void navigate({ search: { state: value as JobGroup } })}
        keepMounted={false}
      >
        <Tabs.List mb="sm">
          {JOB_GROUPS.map((group) => (
            <Tabs.Tab key={group} value={group}>
              {t(`jobs.group.${group}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {state ? null : <LoadingState />}
        {JOB_GROUPS.map((group) => (
          <Tabs.Panel key={group} value={group}>
            <JobsList group={group} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
