import { Button, Code, CopyButton, Flex } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Text that is made to be copied. */
export function CopyField({ text }: { text: string }) {
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
