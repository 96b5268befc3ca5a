import "@mantine/core/styles/Code.css";
import { Button, Code, CopyButton, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Text that is made to be copied. */
export function CopyField({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <Group align="flex-start" wrap="nowrap" gap="xs">
      <Code block flex={1} style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" onClick={copy} style={{ flex: "none" }}>
            {t(copied ? "actions.copied" : "actions.copy")}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
