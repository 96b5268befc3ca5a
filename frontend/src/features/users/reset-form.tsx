import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormStack } from "@/shared/form-stack";
import { notifyDone } from "@/shared/notify";
import { MIN_PASSWORD_CHARACTERS, PasswordField } from "./password-field";
import { nameOfUser, type User, useUserMutations } from "./use-users";

/** Another password for somebody who lost theirs. */
export function ResetForm({ user, onDone }: { user: User; onDone: () => void }) {
  const { t } = useTranslation();
  const { update } = useUserMutations();
  const [password, setPassword] = useState("");
  const [isChecked, setIsChecked] = useState(false);
  const isShort = password.length < MIN_PASSWORD_CHARACTERS;

  function submit() {
    setIsChecked(true);
    if (isShort) return;
    update.mutate(
      { params: { path: { user_id: user.id } }, body: { password } },
      {
        onSuccess: () => {
          notifyDone(t("users:resetDone", { name: nameOfUser(user) }));
          onDone();
        },
      },
    );
  }

  return (
    <FormStack onSubmit={submit} mutation={update} submitLabel={t("users:resetPassword")}>
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
    </FormStack>
  );
}
