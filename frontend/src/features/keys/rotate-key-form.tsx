import { Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { FormStack } from "@/shared/form-stack";
import { type ApiKey, type CreatedKey, inDays, isLifetime, useKeyMutations, useKeyPolicy } from "./use-keys";

interface RotateKeyFormProps {
  apiKey: ApiKey;
  onRotated: (created: CreatedKey) => void;
}

/** A new secret for a key. The old one still works for some hours. */
export function RotateKeyForm({ apiKey, onRotated }: RotateKeyFormProps) {
  const { t } = useTranslation();
  const { rotate } = useKeyMutations();
  const maxDays = useKeyPolicy()?.max_days;
  const form = useForm({
    initialValues: { hours: "24", days: "" },
    validate: {
      hours: (value) => (/^\d{1,3}$/.test(value) && Number(value) <= 720 ? null : t("keys:rotate.hoursWrong")),
      days: (value) =>
        isLifetime(value, { maxDays, isOptional: !maxDays || apiKey.expires_at !== null })
          ? null
          : t("keys:daysWrong", { max: maxDays ?? 9999 }),
    },
  });

  function submit() {
    if (form.validate().hasErrors) return;
    const { hours, days } = form.values;
    rotate.mutate(
      {
        params: { path: { key_id: apiKey.id } },
        body: { overlap_hours: Number(hours), ...inDays(days) },
      },
      { onSuccess: onRotated },
    );
  }

  return (
    <FormStack onSubmit={submit} mutation={rotate} submitLabel={t("keys:rotate.action")}>
      <Text size="sm">{t("keys:rotate.text")}</Text>
      <TextInput label={t("keys:rotate.hours")} inputMode="numeric" data-autofocus {...form.getInputProps("hours")} />
      <TextInput label={t("keys:rotate.days")} inputMode="numeric" {...form.getInputProps("days")} />
    </FormStack>
  );
}
