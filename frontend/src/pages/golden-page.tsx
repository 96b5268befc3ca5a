import { Button, Stack, Text, Title } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { GoldenList } from "@/features/golden/golden-list";
import { PreviewForm } from "@/features/golden/preview-form";
import { useGoldenQueries, useRun } from "@/features/golden/use-evaluations";
import { useMe } from "@/features/session/use-session";
import { notifyDone } from "@/shared/notify";
import { PageHead } from "@/shared/page-head";

export function GoldenPage() {
  const { t } = useTranslation();
  const { me } = useMe();
  const count = useGoldenQueries().data?.pages[0]?.total ?? 0;
  if (!me) return null;
  // without a query there is nothing to ask and nothing to win
  const canMeasure = me.role === "admin" && count > 0;
  return (
    <Stack maw={880} gap="md">
      <PageHead title={t("nav.golden")} about={t("golden:about")}>
        {canMeasure ? <RunButton /> : null}
      </PageHead>
      {canMeasure ? (
        <Stack component="section" gap="xs" aria-labelledby="try-a-setting">
          <Title order={2} size="h4" id="try-a-setting">
            {t("golden:tryTitle")}
          </Title>
          <Text c="dimmed" size="sm">
            {t("golden:tryAbout")}
          </Text>
          <PreviewForm />
        </Stack>
      ) : null}
      <Stack component="section" gap="xs" aria-labelledby="golden-queries">
        <Title order={2} size="h4" id="golden-queries">
          {t("golden:listTitle")}
        </Title>
        <GoldenList me={me} />
      </Stack>
    </Stack>
  );
}

function RunButton() {
  const { t } = useTranslation();
  const run = useRun();
  const onRun = () =>
    run.mutate(
      {},
      {
        onSuccess: ({ found, questions }) => notifyDone(t("golden:ran", { found, count: questions })),
      },
    );
  return (
    <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} loading={run.isPending} onClick={onRun}>
      {t("golden:run")}
    </Button>
  );
}
