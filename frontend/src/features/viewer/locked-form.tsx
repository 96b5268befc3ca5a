import { Button, Paper, Stack, Text, Title } from "@mantine/core";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { focusOnMount } from "@/shared/focus-on-mount";
import { PasswordInput } from "@/shared/password-input";

interface LockedFormProps {
  /** The document is not processed yet: the password does that too. */
  isUnread: boolean;
  /** A password was tried and does not open the file. */
  isWrong: boolean;
  onSubmit: (password: string) => void;
}

/** Ask for the password of a PDF. */
export function LockedForm({ isUnread, isWrong, onSubmit }: LockedFormProps) {
  const { t } = useTranslation();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    onSubmit(String(new FormData(event.currentTarget).get("password") ?? ""));
  }

  return (
    <Paper withBorder p="lg" maw={420} mx="auto" mt="xl" pos="relative">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Title order={2} size="h4">
            {t("document.locked.title")}
          </Title>
          <Text size="sm">{t(isUnread ? "document.locked.textUnread" : "document.locked.text")}</Text>
          <PasswordInput
            name="password"
            label={t("document.locked.password")}
            autoComplete="off"
            required
            withAsterisk={false}
            // the form is made anew after each try
            ref={isWrong ? focusOnMount : undefined}
            error={isWrong ? t("document.locked.wrong") : null}
          />
          <Button type="submit">{t(isUnread ? "documents.password.send" : "document.locked.open")}</Button>
        </Stack>
      </form>
    </Paper>
  );
}
