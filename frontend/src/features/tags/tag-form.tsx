import { Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormStack } from "@/shared/form-stack";
import { ColorPicker } from "./color-picker";
import { TagChip } from "./tag-chip";
import { colorOfName } from "./tag-colors";
import { type Tag, useTagMutations } from "./use-tags";

interface TagFormProps {
  /** Absent for a new one. */
  tag?: Tag;
  onDone: () => void;
}

/** Name, colour and description of a tag. */
export function TagForm({ tag, onDone }: TagFormProps) {
  const { t } = useTranslation();
  const { create, update } = useTagMutations();
  const [color, setColor] = useState<string | null>(tag?.color ?? null);
  const form = useForm({
    initialValues: { name: tag?.name ?? "", description: tag?.description ?? "" },
    validate: { name: (name) => (name.trim() ? null : t("tags.form.nameNeeded")) },
  });
  const shownColor = color ?? colorOfName(form.values.name);
  const mutation = tag ? update : create;
  const submit = form.onSubmit((values) => {
    const body = { ...values, color: shownColor };
    if (tag) update.mutate({ params: { path: { tag_id: tag.id } }, body }, { onSuccess: onDone });
    else create.mutate({ body }, { onSuccess: onDone });
  });
  return (
    <FormStack
      onSubmit={submit}
      mutation={mutation}
      submitLabel={t(tag ? "actions.save" : "actions.create")}
      footer={<TagChip name={form.values.name.trim() || t("tags.form.name")} color={shownColor} />}
    >
      <TextInput label={t("tags.form.name")} maxLength={100} data-autofocus {...form.getInputProps("name")} />
      <ColorPicker value={shownColor} onChange={setColor} />
      <Textarea
        label={t("tags.form.description")}
        description={t("tags.form.descriptionNote")}
        autosize
        minRows={2}
        {...form.getInputProps("description")}
      />
    </FormStack>
  );
}
