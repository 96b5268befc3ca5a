import { Button, Group, List, Stack, Text, Title } from "@mantine/core";
import { IconBooks } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Me } from "@/features/session/use-session";
import { $api } from "@/lib/api/client";
import { useInvalidate } from "@/lib/api/keys";
import { notifyDone, notifyError } from "@/shared/notify";

/** An empty library: who is here, what this is, and one button that fills it. */
export function FirstRun({ me, upload }: { me: Me; upload: ReactNode }) {
  const { t } = useTranslation();
  const role = me.role ? t(`account.role.${me.role}`) : "";
  return (
    <Stack align="center" gap="md" py={{ base: "lg", sm: 48 }} maw={560} mx="auto">
      <IconBooks size={52} stroke={1.2} aria-hidden />
      <Title order={2} ta="center">
        {t("firstRun.title")}
      </Title>
      <Text c="dimmed" ta="center">
        {t("firstRun.who", { name: me.name, role })}
      </Text>
      {me.can_write ? <Filling upload={upload} /> : <Text ta="center">{t("firstRun.reader")}</Text>}
    </Stack>
  );
}

function Filling({ upload }: { upload: ReactNode }) {
  const { t } = useTranslation();
  const samples = $api.useQuery("get", "/api/v1/samples").data;
  return (
    <>
      <Text ta="center">{t("firstRun.what")}</Text>
      {samples?.is_available ? (
        <>
          <LoadSamples count={samples.document_count} />
          <Text size="sm" c="dimmed" ta="center">
            {t("firstRun.samplesNote")}
          </Text>
        </>
      ) : null}
      <Group justify="center" gap="sm">
        {/* nothing can be dropped on a phone */}
        <Text size="sm" ta="center" visibleFrom="sm">
          {t("firstRun.or")}
        </Text>
        {upload}
      </Group>
      <section aria-labelledby="what-happens">
        <Title order={3} size="h5" id="what-happens" mb={4}>
          {t("firstRun.next")}
        </Title>
        <List type="ordered" size="sm" spacing={4}>
          <List.Item>{t("documents.empty.read")}</List.Item>
          <List.Item>{t("documents.empty.keyword")}</List.Item>
          <List.Item>{t("documents.empty.meaning")}</List.Item>
        </List>
      </section>
    </>
  );
}

function LoadSamples({ count }: { count: number }) {
  const { t } = useTranslation();
  const onChanged = useInvalidate("documents");
  const load = $api.useMutation("post", "/api/v1/samples", { onSuccess: () => void onChanged() });
  const start = () =>
    load.mutate(
      {},
      {
        onSuccess: ({ items }) => {
          const taken = items.filter((item) => item.document && !item.is_duplicate).length;
          notifyDone(taken > 0 ? t("firstRun.loaded", { count: taken }) : t("firstRun.loadedNone"));
        },
        onError: notifyError,
      },
    );
  return (
    <Button size="md" loading={load.isPending} onClick={start}>
      {t("firstRun.load", { count })}
    </Button>
  );
}
