import { Button, Group, TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { suggestPassword } from "./passwords";

interface PasswordFieldProps extends Omit<TextInputProps, "onChange"> {
  onChange: (value: string) => void;
}

/** A password for somebody else: shown, since it has to be passed on. */
export function PasswordField({ onChange, ...props }: PasswordFieldProps) {
  const { t } = useTranslation();
  return (
    <Group align="flex-end" wrap="nowrap" gap="xs">
      <TextInput
        flex={1}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        {...props}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button variant="default" onClick={() => onChange(suggestPassword())}>
        {t("users:form.suggest")}
      </Button>
    </Group>
  );
}
