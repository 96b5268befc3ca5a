import { Checkbox, NativeSelect, SimpleGrid } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useCollections } from "@/features/collections/use-collections";
import { LANGUAGES } from "@/features/documents/documents-search";
import { TagPicker } from "@/features/tags/tag-picker";
import type { UploadOptions } from "@/features/uploads/upload-item";
import { languageName } from "@/lib/format";

interface OptionsFieldsProps {
  value: UploadOptions;
  onChange: (value: UploadOptions) => void;
  size?: "xs" | "sm";
}

/** Collection, language and tags of files that are to be sent, and whether they replace others. */
export function OptionsFields({ value, onChange, size = "sm" }: OptionsFieldsProps) {
  const { t } = useTranslation();
  const collections = (useCollections().data ?? []).filter((collection) => collection.can_write);
  const usual = collections.find((collection) => collection.is_default) ?? collections[0];
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NativeSelect
          size={size}
          label={t("uploads.dialog.collection")}
          data={collections.map(({ id, name }) => ({ value: id, label: name }))}
          value={value.collection ?? usual?.id ?? ""}
          onChange={(event) => onChange({ ...value, collection: event.currentTarget.value })}
        />
        <NativeSelect
          size={size}
          label={t("uploads.dialog.language")}
          data={[
            { value: "", label: t("uploads.dialog.recognise") },
            ...LANGUAGES.map((code) => ({ value: code, label: languageName(code) })),
          ]}
          value={value.language ?? ""}
          onChange={(event) => onChange({ ...value, language: event.currentTarget.value })}
        />
      </SimpleGrid>
      <TagPicker
        size={size}
        label={t("uploads.dialog.tags")}
        value={value.tags}
        onChange={(next) => onChange({ ...value, tags: next })}
      />
      <Checkbox
        size={size}
        label={t("uploads.dialog.newVersion")}
        checked={value.isNewVersion ?? false}
        onChange={(event) => onChange({ ...value, isNewVersion: event.currentTarget.checked })}
      />
    </>
  );
}
