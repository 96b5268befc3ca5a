import { MultiSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { FormStack } from "@/shared/form-stack";
import { eventLabel } from "./event-label";
import { type CreatedWebhook, EVENT_TYPES, type EventType, useWebhookMutations, type Webhook } from "./use-webhooks";

interface WebhookFormProps {
  /** Absent for a new one. */
  webhook?: Webhook;
  onCreated?: (created: CreatedWebhook) => void;
  onDone: () => void;
}

/** URL, description and types of events. */
export function WebhookForm({ webhook, onCreated, onDone }: WebhookFormProps) {
  const { t } = useTranslation();
  const { create, update } = useWebhookMutations();
  const form = useForm<{ url: string; description: string; types: EventType[] }>({
    initialValues: {
      url: webhook?.url ?? "",
      description: webhook?.description ?? "",
      types: webhook?.event_types ?? [],
    },
    validate: { url: (url) => (/^https?:\/\/\S+$/.test(url.trim()) ? null : t("webhooks:urlNeeded")) },
  });
  const submit = form.onSubmit(({ url, description, types }) => {
    const body = { description, event_types: types.length > 0 ? types : null };
    if (webhook) {
      const changed = url.trim() === webhook.url ? {} : { url: url.trim() };
      update.mutate(
        { params: { path: { webhook_id: webhook.id } }, body: { ...body, ...changed } },
        { onSuccess: onDone },
      );
    } else {
      create.mutate(
        { body: { ...body, url: url.trim() } },
        {
          onSuccess: (created) => {
            onDone();
            onCreated?.(created);
          },
        },
      );
    }
  });
  return (
    <FormStack
      onSubmit={submit}
      mutation={webhook ? update : create}
      submitLabel={t(webhook ? "actions.save" : "actions.create")}
    >
      <TextInput
        label={t("webhooks:url")}
        description={t("webhooks:urlHint")}
        type="url"
        data-autofocus
        {...form.getInputProps("url")}
      />
      <TextInput label={t("webhooks:description")} maxLength={2000} {...form.getInputProps("description")} />
      <MultiSelect
        label={t("webhooks:types")}
        {...(form.values.types.length > 0 ? {} : { placeholder: t("webhooks:typesHint") })}
        data={EVENT_TYPES.map((value) => ({ value, label: eventLabel(value) }))}
        openOnFocus={false}
        {...form.getInputProps("types")}
      />
    </FormStack>
  );
}
