import { Alert, Button, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorText, notifyDone } from "@/shared/notify";
import { PasswordField } from "./password-field";
import { MIN_PASSWORD_CHARACTERS } from "./passwords";
import { type User, useUserMutations } from "./use-users";

/** Another password for somebody who lost theirs. */
export function ResetForm({ user, onDone }: { user: User; onDone: () => void }) {
  const { t } = useTranslation();
  const { update } = useUserMutations();
  const [password, setPassword] = useState("");
  const [isChecked, setIsChecked] = useState(false);
  const isShort = password.length < MIN_PASSWORD_CHARACTERS;

  function submit(event: FormEvent) {
    event.preventDefault();
    setIsChecked(true);
    if (isShort) return;
    update.mutate(
      { params: { path: { user_id: user.id } }, body: { password } },
      {
        onSuccess: () => {
          notifyDone(t("users:resetDone", { name: user.name }));
          onDone();
        },
      },
    );
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {update.error ? (
          <Alert color="red" role="alert">
            {errorText(update.error)}
          </Alert>
        ) : null}
        <PasswordField
          label={t("users:form.newPassword")}
          value={password}
          error={isChecked && isShort ? t("users:form.passwordShort") : null}
          onChange={setPassword}
          data-autofocus
        />
        <Text size="sm" c="dimmed">
          {t("users:form.passwordNote")} {t("users:resetNote")}
        </Text>
        <Button type="submit" loading={update.isPending}>
          {t("users:resetPassword")}
        </Button>
      </Stack>
    </form>
  );
}
