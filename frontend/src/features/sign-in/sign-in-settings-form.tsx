import { Alert, Code, Select, Switch, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ROLES, type Role } from "@/features/users/use-users";
import { FormStack } from "@/shared/form-stack";
import { notifyDone } from "@/shared/notify";
import { GroupEditor } from "./group-editor";
import { type SignInSettings, useUpdateSignInSettings } from "./use-sign-in-settings";

/** How people sign in: the identity provider, what its groups give, and whether passwords work. */
export function SignInSettingsForm({ settings }: { settings: SignInSettings }) {
  const { t } = useTranslation();
  const update = useUpdateSignInSettings();
  const { issuer, redirect_uri, sign_out_uri, ...editable } = settings;
  const [values, setValues] = useState(editable);
  const set = (change: Partial<typeof values>) => setValues((before) => ({ ...before, ...change }));
  const save = () => update.mutate({ body: values }, { onSuccess: () => notifyDone(t("signin:saved")) });
  return (
    <FormStack onSubmit={save} mutation={update} submitLabel={t("actions.save")} gap="md">
      {issuer ? (
        <Text size="sm">
          {t("signin:issuer")} <Code>{issuer}</Code>
        </Text>
      ) : (
        <Alert>{t("signin:notConfigured")}</Alert>
      )}
      <Text size="sm">
        {t("signin:redirectUri")} <Code>{redirect_uri}</Code>
      </Text>
      <Text size="sm">
        {t("signin:signOutUri")} <Code>{sign_out_uri}</Code>
      </Text>
      <TextInput
        label={t("signin:providerName")}
        required
        maxLength={200}
        value={values.provider_name}
        onChange={(event) => set({ provider_name: event.currentTarget.value })}
      />
      <TextInput
        label={t("signin:groupClaim")}
        required
        maxLength={200}
        value={values.group_claim}
        onChange={(event) => set({ group_claim: event.currentTarget.value })}
      />
      <Select
        label={t("signin:defaultRole")}
        placeholder={t("signin:refuse")}
        clearable
        data={ROLES.map((role) => ({ value: role, label: t(`account.role.${role}`) }))}
        value={values.default_role ?? null}
        onChange={(role) => set({ default_role: role as Role | null })}
      />
      <Title order={2} size="h4">
        {t("signin:groups.title")}
      </Title>
      <GroupEditor groups={values.groups} onChange={(groups) => set({ groups })} />
      <Switch
        label={t("signin:linking")}
        description={t("signin:linkingNote")}
        checked={values.is_linking_allowed}
        onChange={(event) => set({ is_linking_allowed: event.currentTarget.checked })}
      />
      <Switch
        label={t("signin:passwords")}
        description={t("signin:passwordsNote")}
        checked={values.has_local_passwords}
        onChange={(event) => set({ has_local_passwords: event.currentTarget.checked })}
      />
    </FormStack>
  );
}
