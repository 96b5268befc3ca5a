import { Button, PasswordInput, Popover, Stack, Text } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { notifyError } from "@/shared/notify";
import { notePassword } from "./tried-passwords";

interface PasswordButtonProps {
  documentId: string;
  filename: string;
  onSubmit: (password: string) => Promise<unknown>;
}

/** Asks for the password of an encrypted file. */
export function PasswordButton({ documentId, filename, onSubmit }: PasswordButtonProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const [isSending, setIsSending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get("password") ?? "");
    setIsSending(true);
    notePassword(documentId);
    try {
      await onSubmit(password);
      setIsOpen(false);
    } catch (error) {
      notifyError(error);
    } finally {
      setIsSending(false);
    }
  }

  return (
    <Popover opened={isOpen} onChange={setIsOpen} width={280} trapFocus withinPortal shadow="md">
      <Popover.Target>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconLock size={12} aria-hidden />}
          onClick={() => setIsOpen(!isOpen)}
        >
          {t("documents.password.enter")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={(event) => void submit(event)}>
          <Stack gap="xs">
            <PasswordInput
              label={t("documents.password.label", { filename })}
              name="password"
              autoComplete="off"
              required
              withAsterisk={false}
              data-autofocus
            />
            <Text size="xs" c="dimmed">
              {t("documents.password.forgotten")}
            </Text>
            <Button type="submit" size="xs" loading={isSending}>
              {t("documents.password.send")}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
