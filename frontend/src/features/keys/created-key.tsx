import { Alert, Button, Code, CopyButton, Flex, Stack, Tabs, Text, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";
import { SlidingTabs } from "@/shared/sliding-tabs";
import { clientSnippets } from "./client-snippets";
import { ConnectionTest } from "./connection-test";
import type { CreatedKey } from "./use-keys";

/** The new key, shown this once, ready to paste into the agent that will use it. */
export function CreatedKeyPanel({ created, onClose }: { created: CreatedKey; onClose: () => void }) {
  const { t } = useTranslation();
  const { url, told, isUnknown, write } = useMcpUrl();
  return (
    <Alert
      color="green"
      variant="outline"
      title={t("keys:createdTitle", { name: created.api_key.name })}
      withCloseButton
      // what does not fit slides or breaks inside
      styles={{ body: { minWidth: 0 } }}
      closeButtonLabel={t("actions.close")}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">{t("keys:createdText")}</Text>
        <CopyField text={created.key} />
        <AddressField url={url} told={told} isUnknown={isUnknown} onWrite={write} />
        {url ? (
          <>
            <ClientTabs url={url} secret={created.key} />
            <ConnectionTest created={created} url={url} />
          </>
        ) : null}
      </Stack>
    </Alert>
  );
}

interface AddressFieldProps {
  url: string;
  told: string;
  isUnknown: boolean;
  onWrite: (url: string) => void;
}

function AddressField({ url, told, isUnknown, onWrite }: AddressFieldProps) {
  const { t } = useTranslation();
  // What is taken out stays out while another address is written, although the one of the API holds meanwhile.
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      label={t("keys:address")}
      description={t("keys:addressHint")}
      type="url"
      placeholder={told}
      error={isUnknown ? t("keys:addressUnknown") : null}
      value={typed ?? url}
      onChange={(event) => {
        const text = event.currentTarget.value.trim();
        setTyped(text);
        onWrite(text);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

// A tab names its panel by an id, in which no blank may stand.
const idOf = (name: string) => name.replaceAll(" ", "-");

/** What to paste into each kind of client. */
function ClientTabs({ url, secret }: { url: string; secret: string }) {
  const { t } = useTranslation();
  const snippets = clientSnippets({ url, key: secret });
  const [chosen, setChosen] = useState(snippets[0] ? idOf(snippets[0].name) : "");
  return (
    <Tabs value={chosen} onChange={(next) => setChosen(next ?? chosen)} keepMounted={false}>
      <SlidingTabs
        tabs={snippets.map(({ name }) => ({ value: idOf(name), name }))}
        chosen={chosen}
        label={t("keys:clients")}
      />
      {snippets.map(({ name, file, text }) => (
        <Tabs.Panel key={name} value={idOf(name)} pt="xs">
          <Text size="xs" c="dimmed">
            {file === "terminal" ? t("keys:inTerminal") : file}
          </Text>
          <CopyField text={text} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** Text that is made to be copied. */
function CopyField({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <Flex direction={{ base: "column", xs: "row" }} align="flex-start" gap="xs">
      <Code
        block
        flex={{ xs: 1 }}
        w={{ base: "100%", xs: "auto" }}
        style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
      >
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" onClick={copy} style={{ flex: "none" }}>
            {t(copied ? "actions.copied" : "actions.copy")}
          </Button>
        )}
      </CopyButton>
    </Flex>
  );
}

interface McpUrl {
  /** What the person wrote last, else what the API tells; empty while neither is known. */
  url: string;
  told: string;
  isUnknown: boolean;
  /** An empty one is forgotten. */
  write: (url: string) => void;
}

/** The address for agents. */
function useMcpUrl(): McpUrl {
  const [written, write] = useLocalStorage({ key: "lectern-mcp-url", defaultValue: "" });
  const query = $api.useQuery("get", "/api/v1/system/mcp-address", {}, { staleTime: Number.POSITIVE_INFINITY });
  const told = query.data?.url ?? "";
  return { url: written || told, told, isUnknown: query.isError && !written, write };
}
