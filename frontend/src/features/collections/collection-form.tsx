import { Switch, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { FormStack } from "@/shared/form-stack";
import { type Collection, useCollectionMutations } from "./use-collections";

interface CollectionFormProps {
  /** Absent for a new one. */
  collection?: Collection;
  onDone: () => void;
}

/** Name, description and openness of a collection. */
export function CollectionForm({ collection, onDone }: CollectionFormProps) {
  const { t } = useTranslation();
  const { create, update } = useCollectionMutations();
  const form = useForm({
    initialValues: {
      name: collection?.name ?? "",
      description: collection?.description ?? "",
      is_open: collection?.is_open ?? true,
    },
    validate: { name: (name) => (name.trim() ? null : t("collections:form.nameNeeded")) },
  });
  const mutation = collection ? update : create;
  const submit = form.onSubmit((body) => {
    if (collection) {
      update.mutate({ params: { path: { collection_id: collection.id } }, body }, { onSuccess: onDone });
    } else create.mutate({ body }, { onSuccess: onDone });
  });
  return (
    <FormStack onSubmit={submit} mutation={mutation} submitLabel={t(collection ? "actions.save" : "actions.create")}>
      <TextInput label={t("collections:form.name")} maxLength={200} data-autofocus {...form.getInputProps("name")} />
      <Textarea label={t("collections:form.description")} autosize minRows={2} {...form.getInputProps("description")} />
      <Switch
        label={t("collections:form.open")}
        description={t("collections:form.openNote")}
        {...form.getInputProps("is_open", { type: "checkbox" })}
      />
    </FormStack>
  );
}
