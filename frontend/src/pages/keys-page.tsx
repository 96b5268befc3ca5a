import { Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CreateKeyForm } from "@/features/keys/create-key-form";
import { CreatedKeyPanel } from "@/features/keys/created-key";
import { KeysList } from "@/features/keys/keys-list";
import { type CreatedKey, useKeys } from "@/features/keys/use-keys";
import { PageHeading } from "@/shared/page-head";

export function KeysPage() {
  const { t } = useTranslation();
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const isRevoked = useKeys().data?.items.some(({ id, revoked_at }) => id === created?.api_key.id && revoked_at);
  return (
    <Stack maw={880} gap="lg">
      <div>
        <PageHeading>{t("nav.keys")}</PageHeading>
        <Text c="dimmed" maw="72ch">
          {t("keys:intro")}
        </Text>
      </div>
      {created && !isRevoked ? <CreatedKeyPanel created={created} onClose={() => setCreated(null)} /> : null}
      <Paper withBorder p="md" component="section" aria-label={t("keys:createTitle")}>
        <Title order={2} size="h4" mb="sm">
          {t("keys:createTitle")}
        </Title>
        <CreateKeyForm onCreated={setCreated} />
      </Paper>
      <KeysList onRotated={setCreated} />
    </Stack>
  );
}
