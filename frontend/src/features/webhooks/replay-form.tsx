import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { FormStack } from "@/shared/form-stack";
import { notifyDone } from "@/shared/notify";
import { useWebhookMutations, type Webhook } from "./use-webhooks";

/** Send the events after a cursor again. */
export function ReplayForm({ webhook, onDone }: { webhook: Webhook; onDone: () => void }) {
  const { t } = useTranslation();
  const { replay } = useWebhookMutations();
  const form = useForm({
    initialValues: { after: String(webhook.cursor) },
    validate: { after: (after) => (/^\d{1,15}$/.test(after) ? null : t("webhooks:replayHint")) },
  });
  const submit = form.onSubmit(({ after }) =>
    replay.mutate(
      { params: { path: { webhook_id: webhook.id }, query: { after: Number(after) } } },
      {
        onSuccess: ({ pending_count: count }) => {
          notifyDone(t("webhooks:replayDone", { count }));
          onDone();
        },
      },
    ),
  );
  return (
    <FormStack onSubmit={submit} mutation={replay} submitLabel={t("webhooks:replay")}>
      <TextInput
        label={t("webhooks:replayAfter")}
        description={t("webhooks:replayHint")}
        inputMode="numeric"
        data-autofocus
        {...form.getInputProps("after")}
      />
    </FormStack>
  );
}
