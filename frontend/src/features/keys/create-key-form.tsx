import { Button, Checkbox, Group, MultiSelect, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { useCollections } from "@/features/collections/use-collections";
import { DocumentPicker } from "@/features/search/document-picker";
import { TagPicker } from "@/features/tags/tag-picker";
import { notifyError } from "@/shared/notify";
import { type CreatedKey, useKeyMutations, useVisibleCount } from "./use-keys";

const TOOLSETS = ["search", "answers", "library", "extract"] as const;
type Toolset = (typeof TOOLSETS)[number];

const DAY_MS = 86_400_000;

/** Create a key with a limited scope. The form counts the documents that it would see. */
export function CreateKeyForm({ onCreated }: { onCreated: (created: CreatedKey) => void }) {
  const { t } = useTranslation();
  const { create } = useKeyMutations();
  const collections = useCollections().data?.map((collection) => collection.name) ?? [];
  const form = useForm({
    initialValues: {
      name: "",
      tags: [] as string[],
      collections: [] as string[],
      documents: [] as string[],
      toolsets: ["search"] as Toolset[],
      days: "90",
      canWrite: false,
    },
    validate: {
      toolsets: (value) => (value.length > 0 ? null : t("keys:toolsets.needed")),
      name: (value) => (value.trim() ? null : t("keys:nameNeeded")),
      days: (value) => (value === "" || /^[1-9]\d{0,3}$/.test(value) ? null : t("keys:daysWrong")),
    },
  });
  const { values } = form;
  const count = useVisibleCount(values);
  const submit = () =>
    create.mutate(
      {
        body: {
          name: values.name.trim(),
          can_write: values.canWrite,
          toolsets: values.toolsets,
          ...(values.documents.length > 0 ? { documents: values.documents } : {}),
          ...(values.tags.length > 0 ? { tags: values.tags } : {}),
          ...(values.collections.length > 0 ? { collections: values.collections } : {}),
          ...(values.days ? { expires_at: new Date(Date.now() + Number(values.days) * DAY_MS).toISOString() } : {}),
        },
      },
      {
        onSuccess: (created) => {
          form.reset();
          onCreated(created);
        },
        onError: notifyError,
      },
    );
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t("keys:name")}
          placeholder={t("keys:namePlaceholder")}
          maxLength={200}
          required
          {...form.getInputProps("name")}
        />
        <TagPicker
          label={t("keys:tags")}
          placeholder={t("keys:tagsHint")}
          canCreate={false}
          clearable
          value={values.tags}
          onChange={(tags) => form.setFieldValue("tags", tags)}
        />
        <MultiSelect
          label={t("keys:collections")}
          placeholder={values.collections.length === 0 ? t("keys:collectionsHint") : ""}
          data={collections}
          searchable
          clearable
          {...form.getInputProps("collections")}
        />
        <DocumentPicker
          placeholder={t("keys:documentsHint")}
          value={values.documents}
          onChange={(documents) => form.setFieldValue("documents", documents)}
        />
        <Checkbox.Group
          label={t("keys:toolsets.label")}
          description={t("keys:toolsets.hint")}
          {...form.getInputProps("toolsets")}
        >
          <Stack gap={6} mt={6}>
            {TOOLSETS.map((toolset) => (
              <Checkbox key={toolset} value={toolset} label={t(`keys:toolsets.${toolset}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <TextInput label={t("keys:days")} inputMode="numeric" {...form.getInputProps("days")} />
        <Switch
          label={t("keys:canWrite")}
          checked={values.canWrite}
          onChange={(event) => form.setFieldValue("canWrite", event.currentTarget.checked)}
        />
        <Group justify="space-between">
          <Text size="sm" role="status">
            {count === undefined ? "" : t("keys:sees", { count })}
          </Text>
          <Button type="submit" loading={create.isPending}>
            {t("keys:create")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
