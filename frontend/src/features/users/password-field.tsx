import { Button, Group, TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

interface PasswordFieldProps extends Omit<TextInputProps, "onChange"> {
  onChange: (value: string) => void;
}

/** A readable password field: the password has to be passed on to somebody. */
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

export const MIN_PASSWORD_CHARACTERS = 12;

// Without letters that are read for one another, since somebody may type it from a note.
const ALPHABET = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** A password to pass on, such as `kT4wm-9xQpe-...`: 20 characters of 55, made by the browser's random source. */
export function suggestPassword(): string {
  const characters: string[] = [];
  // Numbers at the end of the range would make some letters likelier than others.
  const limit = Math.floor(256 / ALPHABET.length) * ALPHABET.length;
  while (characters.length < GROUPS * GROUP_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      if (byte < limit && characters.length < GROUPS * GROUP_LENGTH)
        characters.push(ALPHABET.charAt(byte % ALPHABET.length));
    }
  }
  return Array.from({ length: GROUPS }, (_, group) =>
    characters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(""),
  ).join("-");
}
