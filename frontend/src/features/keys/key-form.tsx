import { Button, Checkbox, Group, MultiSelect, NativeSelect, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useCollections } from "@/features/collections/use-collections";
import { DocumentPicker } from "@/features/search/document-picker";
import { useMe } from "@/features/session/use-session";
import { TagPicker } from "@/features/tags/tag-picker";
import { focusInvalid } from "@/shared/focus-invalid";
import { inDays, isLifetime, type NewKey, useKeyPolicy, useVisibleCount } from "./use-keys";

const TOOLSETS = ["search", "answers", "library", "extract", "connector"] as const;
type Toolset = (typeof TOOLSETS)[number];

interface KeyFormProps {
  name?: string;
  toolsets?: Toolset[];
  submitLabel: string;
  isPending: boolean;
  /** `reset` empties the form. */
  onSubmit: (key: NewKey, reset: () => void) => void;
  /** Other buttons, before the one that submits. */
  children?: ReactNode;
}

const LIFETIMES = [30, 90, 365];

/** The lifetimes to choose from: those that the policy allows, and without a policy also none. */
const lifetimes = (maxDays: number | null | undefined) =>
  maxDays ? [...LIFETIMES.filter((days) => days < maxDays), maxDays] : [...LIFETIMES, null];

/** Choose the scope of a new key. The form counts the documents that the key would see. */
export function KeyForm({
  name = "",
  toolsets = ["search"],
  submitLabel,
  isPending,
  onSubmit,
  children,
}: KeyFormProps) {
  const { t } = useTranslation();
  const { me } = useMe();
  const policy = useKeyPolicy();
  const maxDays = policy?.max_days;
  const collections = useCollections().data?.map((collection) => collection.name) ?? [];
  const form = useForm({
    initialValues: {
      name,
      tags: [] as string[],
      collections: [] as string[],
      documents: [] as string[],
      toolsets,
      networks: "",
      days: "90",
      canWrite: false,
    },
    validate: {
      toolsets: (value) => (value.length > 0 ? null : t("keys:toolsets.needed")),
      name: (value) => (value.trim() ? null : t("keys:nameNeeded")),
      days: (value) =>
        isLifetime(value, { maxDays, isOptional: !maxDays }) ? null : t("keys:daysWrong", { max: maxDays ?? 9999 }),
    },
  });
  const { values } = form;
  const count = useVisibleCount(values);
  const submit = () =>
    onSubmit(
      {
        name: values.name.trim(),
        can_write: values.canWrite,
        toolsets: values.toolsets,
        ...(values.documents.length > 0 ? { documents: values.documents } : {}),
        ...(values.tags.length > 0 ? { tags: values.tags } : {}),
        ...(values.collections.length > 0 ? { collections: values.collections } : {}),
        ...(values.networks.trim() ? { allowed_networks: values.networks.trim().split(/[\s,;]+/) } : {}),
        ...inDays(values.days),
      },
      form.reset,
    );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        form.onSubmit(submit)(event);
        focusInvalid(event.currentTarget);
      }}
    >
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
              <Checkbox
                key={toolset}
                value={toolset}
                label={t(`keys:toolsets.${toolset}`)}
                description={policy?.toolsets.find(({ name }) => name === toolset)?.tools.join(", ")}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <TextInput
          label={t("keys:networks")}
          placeholder={t("keys:networksHint")}
          {...form.getInputProps("networks")}
        />
        <NativeSelect
          label={t("keys:days")}
          data={lifetimes(maxDays).map((days) => ({
            value: days ? String(days) : "",
            label: days ? t("keys:daysOf", { count: days }) : t("keys:noExpiry"),
          }))}
          {...form.getInputProps("days")}
        />
        {me?.can_write === false ? null : (
          <Switch
            label={t("keys:canWrite")}
            checked={values.canWrite}
            onChange={(event) => {
              form.setFieldValue("canWrite", event.currentTarget.checked);
              // changes of documents are in this toolset
              if (event.currentTarget.checked)
                form.setFieldValue("toolsets", [...new Set([...values.toolsets, "library" as const])]);
            }}
          />
        )}
        <Group justify="space-between">
          <Text size="sm" role="status">
            {count === undefined ? "" : t("keys:sees", { count })}
          </Text>
          <Group gap="xs">
            {children}
            <Button type="submit" loading={isPending}>
              {submitLabel}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
