import { Alert, Button, Code, CopyButton, Flex, Stack, Tabs, Text, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";
import { SlidingTabs } from "@/shared/sliding-tabs";
import { clientSnippets } from "./client-snippets";
import { ConnectionTest } from "./connection-test";
import type { CreatedKey } from "./use-keys";

/** The new key, visible only once, with configuration to paste into an agent. It comes into sight with the focus. */
export function CreatedKeyPanel({ created, onClose }: { created: CreatedKey; onClose: () => void }) {
  const { t } = useTranslation();
  const { url, suggested, isUnknown, write } = useMcpUrl();
  const panel = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is shown in the same panel
  useEffect(() => {
    panel.current?.scrollIntoView();
    panel.current?.focus({ preventScroll: true });
  }, [created]);
  return (
    <Alert
      ref={panel}
      tabIndex={-1}
      color="green"
      variant="outline"
      title={t("keys:createdTitle", { name: created.api_key.name })}
      withCloseButton
      // what does not fit slides or breaks inside
      styles={{ root: { scrollMarginTop: 64 }, body: { minWidth: 0 } }}
      closeButtonLabel={t("actions.close")}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">{t("keys:createdText")}</Text>
        <CopyField text={created.key} />
        <AddressField url={url} suggested={suggested} isUnknown={isUnknown} onWrite={write} />
        {url ? (
          <>
            <ClientTabs url={url} secret={created.key} />
            <ConnectionTest created={created} />
          </>
        ) : null}
      </Stack>
    </Alert>
  );
}

interface AddressFieldProps {
  url: string;
  suggested: string;
  isUnknown: boolean;
  onWrite: (url: string) => void;
}

function AddressField({ url, suggested, isUnknown, onWrite }: AddressFieldProps) {
  const { t } = useTranslation();
  // An emptied field stays empty while another address is typed.
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      label={t("keys:address")}
      description={t("keys:addressHint")}
      type="url"
      placeholder={suggested}
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

/** The configuration for each kind of client. */
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
      {snippets.map(({ name, file, text, link }) => (
        <Tabs.Panel key={name} value={idOf(name)} pt="xs">
          {link ? (
            <Button component="a" href={link} size="xs" mb="xs">
              {t("keys:addTo", { client: name })}
            </Button>
          ) : null}
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
  /** The address that the person entered, else the API's. Empty while neither is known. */
  url: string;
  suggested: string;
  isUnknown: boolean;
  /** An empty one is forgotten. */
  write: (url: string) => void;
}

/** The address for agents. */
function useMcpUrl(): McpUrl {
  const [written, write] = useLocalStorage({ key: "lectern-mcp-url", defaultValue: "" });
  const query = $api.useQuery("get", "/api/v1/system/mcp-address", {}, { staleTime: Number.POSITIVE_INFINITY });
  const suggested = query.data?.url ?? "";
  return { url: written || suggested, suggested, isUnknown: query.isError && !written, write };
}
