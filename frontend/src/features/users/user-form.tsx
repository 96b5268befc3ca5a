import { Select, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { FormStack } from "@/shared/form-stack";
import { notifyDone } from "@/shared/notify";
import { MIN_PASSWORD_CHARACTERS, PasswordField } from "./password-field";
import { nameOfUser, ROLES, type Role, useUserMutations } from "./use-users";

/** A new person with a first password. */
export function UserForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const { create } = useUserMutations();
  const form = useForm({
    initialValues: { email: "", name: "", role: "editor" as Role, password: "" },
    validate: {
      email: (value) => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : t("users:form.emailWrong")),
      password: (value) => (value.length < MIN_PASSWORD_CHARACTERS ? t("users:form.passwordShort") : null),
    },
  });
  const submit = form.onSubmit(({ email, name, role, password }) =>
    create.mutate(
      { body: { email: email.trim(), role, password, ...(name.trim() ? { name: name.trim() } : {}) } },
      {
        onSuccess: (user) => {
          notifyDone(t("users:created", { name: nameOfUser(user) }));
          onDone();
        },
      },
    ),
  );
  return (
    <FormStack onSubmit={submit} mutation={create} submitLabel={t("actions.create")}>
      <TextInput
        label={t("account.email")}
        type="email"
        autoComplete="off"
        required
        data-autofocus
        {...form.getInputProps("email")}
      />
      <TextInput
        label={t("users:form.name")}
        description={t("users:form.nameNote")}
        maxLength={200}
        {...form.getInputProps("name")}
      />
      <Select
        label={t("users:form.role")}
        description={t(`users:roleNote.${form.values.role}`)}
        allowDeselect={false}
        data={ROLES.map((role) => ({ value: role, label: t(`account.role.${role}`) }))}
        {...form.getInputProps("role")}
      />
      <PasswordField
        label={t("users:form.password")}
        required
        value={form.values.password}
        error={form.errors.password}
        onChange={(password) => form.setFieldValue("password", password)}
      />
      <Text size="xs" c="dimmed">
        {t("users:form.passwordNote")}
      </Text>
    </FormStack>
  );
}
