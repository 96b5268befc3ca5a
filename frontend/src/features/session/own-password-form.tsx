import { Checkbox, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";
import { FormStack } from "@/shared/form-stack";
import { notifyDone } from "@/shared/notify";
import { PasswordInput } from "@/shared/password-input";

const MIN_PASSWORD_CHARACTERS = 12;

/** Change your own password. All other sessions end. */
export function OwnPasswordForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const change = $api.useMutation("post", "/api/v1/auth/password");
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [revokesKeys, setRevokesKeys] = useState(false);
  const [isChecked, setIsChecked] = useState(false);
  const isShort = next.length < MIN_PASSWORD_CHARACTERS;

  function submit() {
    setIsChecked(true);
    if (isShort || current === "") return;
    change.mutate(
      { body: { current_password: current, new_password: next, revoke_keys: revokesKeys } },
      {
        onSuccess: () => {
          notifyDone(t("password.done"));
          onDone();
        },
      },
    );
  }

  return (
    <FormStack onSubmit={submit} mutation={change} submitLabel={t("password.change")}>
      <PasswordInput
        label={t("password.current")}
        autoComplete="current-password"
        value={current}
        onChange={(event) => setCurrent(event.currentTarget.value)}
        error={isChecked && current === "" ? t("password.currentNeeded") : null}
        data-autofocus
      />
      <PasswordInput
        label={t("password.new")}
        autoComplete="new-password"
        value={next}
        onChange={(event) => setNext(event.currentTarget.value)}
        error={isChecked && isShort ? t("users:form.passwordShort") : null}
      />
      <Checkbox
        label={t("account.revokeKeys")}
        checked={revokesKeys}
        onChange={(event) => setRevokesKeys(event.currentTarget.checked)}
      />
      <Text size="sm" c="dimmed">
        {t("password.note")}
      </Text>
    </FormStack>
  );
}
