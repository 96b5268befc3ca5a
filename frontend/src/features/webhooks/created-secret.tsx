import { Alert, Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { CreatedWebhook } from "./use-webhooks";

/** A new secret, visible only once. */
export function CreatedSecret({ created, onClose }: { created: CreatedWebhook; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Alert
      color="green"
      variant="outline"
      title={t("webhooks:createdTitle", { url: created.webhook.url })}
      withCloseButton
      styles={{ body: { minWidth: 0 }, title: { overflowWrap: "anywhere" } }}
      closeButtonLabel={t("actions.close")}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">{t("webhooks:createdText")}</Text>
        <Group gap="xs">
          <Code style={{ overflowWrap: "anywhere" }}>{created.secret}</Code>
          <CopyButton value={created.secret}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {t(copied ? "actions.copied" : "actions.copy")}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Alert>
  );
}
