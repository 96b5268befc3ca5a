import { Button, Menu, Stack } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ActivityFilters } from "@/features/activity/activity-filters";
import { ActivityTable } from "@/features/activity/activity-table";
import { readActivityUrl, toAuditQuery } from "@/features/activity/activity-url";
import { AdminsOnly } from "@/features/session/admins-only";
import { PageHead } from "@/shared/page-head";

const route = getRouteApi("/activity");

/** Who changed what, with filters and export. */
export function ActivityPage() {
  const { t } = useTranslation();
  const url = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <AdminsOnly title={t("nav.activity")}>
      <Stack maw={1080} gap={0}>
        <PageHead title={t("nav.activity")} about={t("system:logAbout")}>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
                {t("system:logExport")}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {(["csv", "jsonl"] as const).map((format) => (
                <Menu.Item
                  key={format}
                  component="a"
                  href={`/api/v1/system/audit/export?${new URLSearchParams({ ...toAuditQuery(url), format })}`}
                  download
                >
                  {t(`system:logFormat.${format}`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </PageHead>
        <ActivityFilters
          url={url}
          onChange={(change) =>
            void navigate({ search: (before) => readActivityUrl({ ...before, ...change }), replace: true })
          }
        />
        <ActivityTable filter={url} onClear={() => void navigate({ search: {}, replace: true })} />
      </Stack>
    </AdminsOnly>
  );
}
