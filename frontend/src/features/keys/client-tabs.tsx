import { Tabs, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SlidingTabs } from "@/shared/sliding-tabs";
import { clientSnippets } from "./client-snippets";
import { CopyField } from "./copy-field";

// A tab names its panel by an id, in which no blank may stand.
const idOf = (name: string) => name.replaceAll(" ", "-");

/** What to paste into each kind of client. */
export function ClientTabs({ url, secret }: { url: string; secret: string }) {
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
