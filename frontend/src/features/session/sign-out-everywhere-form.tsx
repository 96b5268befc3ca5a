import { Checkbox, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormStack } from "@/shared/form-stack";
import { useSignOutEverywhere } from "./use-session";

/** End all sessions of the person, and the API keys if wanted. */
export function SignOutEverywhereForm() {
  const { t } = useTranslation();
  const signOut = useSignOutEverywhere();
  const [revokesKeys, setRevokesKeys] = useState(false);
  return (
    <FormStack
      onSubmit={() => signOut.mutate({ body: { revoke_keys: revokesKeys } })}
      mutation={signOut}
      submitLabel={t("account.signOutEverywhere")}
    >
      <Text size="sm">{t("security:everywhere.note")}</Text>
      <Checkbox
        label={t("account.revokeKeys")}
        checked={revokesKeys}
        onChange={(event) => setRevokesKeys(event.currentTarget.checked)}
        data-autofocus
      />
    </FormStack>
  );
}
