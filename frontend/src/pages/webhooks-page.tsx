import { Button, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "@/features/session/admins-only";
import { CreatedSecret } from "@/features/webhooks/created-secret";
import type { CreatedWebhook } from "@/features/webhooks/use-webhooks";
import { WebhookForm } from "@/features/webhooks/webhook-form";
import { WebhooksList } from "@/features/webhooks/webhooks-list";
import { openDialog } from "@/shared/dialog";
import { PageHead } from "@/shared/page-head";

export function WebhooksPage() {
  const { t } = useTranslation();
  const [created, setCreated] = useState<CreatedWebhook | null>(null);
  const create = () => openDialog(t("webhooks:new"), (close) => <WebhookForm onCreated={setCreated} onDone={close} />);
  return (
    <AdminsOnly title={t("nav.webhooks")}>
      <Stack maw={1080} gap="md">
        <PageHead title={t("nav.webhooks")} about={t("webhooks:about")}>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
            {t("webhooks:new")}
          </Button>
        </PageHead>
        {created ? <CreatedSecret created={created} onClose={() => setCreated(null)} /> : null}
        <WebhooksList onRotated={setCreated} />
      </Stack>
    </AdminsOnly>
  );
}
