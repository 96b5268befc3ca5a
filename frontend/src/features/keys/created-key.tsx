import { Alert, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ClientTabs } from "./client-tabs";
import { ConnectionTest } from "./connection-test";
import { CopyField } from "./copy-field";
import type { CreatedKey } from "./use-keys";
import { useMcpUrl } from "./use-mcp-url";

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
