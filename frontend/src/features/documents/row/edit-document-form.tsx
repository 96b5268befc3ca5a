import { InputBase, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { LANGUAGES } from "@/features/documents/documents-search";
import type { Document } from "@/features/documents/status/document-status";
import { useDocumentMutations } from "@/features/documents/use-documents";
import { languageName } from "@/lib/format";
import { FormStack } from "@/shared/form-stack";

interface EditDocumentFormProps {
  document: Document;
  onDone: () => void;
}

/** The names in a text with one name per line. */
const namesIn = (text: string) => text.split("\n").flatMap((line) => line.trim() || []);

/** Title, filename, aliases and language of a document. */
export function EditDocumentForm({ document, onDone }: EditDocumentFormProps) {
  const { t } = useTranslation();
  const { update } = useDocumentMutations();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: {
      title: document.title ?? "",
      filename: document.filename,
      aliases: document.aliases.join("\n"),
      language: document.language ?? "",
    },
    validate: { filename: (value) => (value.trim() ? null : t("documents.edit.filenameNeeded")) },
  });
  const submit = form.onSubmit(({ title, filename, aliases, language }) =>
    update.mutate(
      {
        params: { path: { document_id: document.id } },
        body: {
          title: title.trim() || null,
          filename,
          ...(aliases === form.getInitialValues().aliases ? {} : { aliases: namesIn(aliases) }),
          ...(language && language !== document.language ? { language } : {}),
        },
      },
      { onSuccess: onDone },
    ),
  );
  return (
    <FormStack onSubmit={submit} mutation={update} submitLabel={t("actions.save")}>
      <TextInput
        label={t("documents.edit.titleField")}
        description={t("documents.edit.titleNote")}
        data-autofocus
        key={form.key("title")}
        {...form.getInputProps("title")}
      />
      <TextInput label={t("documents.edit.filename")} key={form.key("filename")} {...form.getInputProps("filename")} />
      <InputBase
        component="textarea"
        multiline
        label={t("documents.edit.aliases")}
        description={t("documents.edit.aliasesNote")}
        rows={3}
        key={form.key("aliases")}
        {...form.getInputProps("aliases")}
      />
      <NativeSelect
        label={t("documents.edit.language")}
        description={t("documents.edit.languageNote")}
        data={[
          ...(document.language ? [] : [{ value: "", label: t("documents.edit.unknownLanguage") }]),
          ...LANGUAGES.map((value) => ({ value, label: languageName(value) })),
        ]}
        key={form.key("language")}
        {...form.getInputProps("language")}
      />
    </FormStack>
  );
}
