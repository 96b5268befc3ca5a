import "./words";
import "@mantine/core/styles/Code.css";
import "@mantine/core/styles/Tabs.css";
import { Alert, Button, Code, CopyButton, Group, Stack, Tabs, Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { clientSnippets } from "./client-snippets";
import { ConnectionTest } from "./connection-test";
import type { CreatedKey } from "./use-keys";
import { useMcpUrl } from "./use-mcp-url";

/** The new key, shown this once, ready to paste into the agent that will use it. */
export function CreatedKeyPanel({ created, onClose }: { created: CreatedKey; onClose: () => void }) {
  const { t } = useTranslation();
  const [url, setUrl] = useMcpUrl();
  const snippets = clientSnippets({ url, key: created.key });
  return (
    <Alert
      color="green"
      variant="outline"
      title={t("keys:createdTitle", { name: created.api_key.name })}
      withCloseButton
      closeButtonLabel={t("actions.close")}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">{t("keys:createdText")}</Text>
        <CopyField text={created.key} />
        <TextInput
          label={t("keys:address")}
          description={t("keys:addressHint")}
          type="url"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value.trim())}
        />
        <Tabs defaultValue={snippets[0]?.name ?? null}>
          <Tabs.List>
            {snippets.map(({ name }) => (
              <Tabs.Tab key={name} value={name}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {snippets.map(({ name, file, text }) => (
            <Tabs.Panel key={name} value={name} pt="xs">
              <Text size="xs" c="dimmed">
                {file === "terminal" ? t("keys:inTerminal") : file}
              </Text>
              <CopyField text={text} />
            </Tabs.Panel>
          ))}
        </Tabs>
        <ConnectionTest created={created} url={url} />
      </Stack>
    </Alert>
  );
}

function CopyField({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <Group align="flex-start" wrap="nowrap" gap="xs">
      <Code block flex={1} style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" onClick={copy}>
            {t(copied ? "actions.copied" : "actions.copy")}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
