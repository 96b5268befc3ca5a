import { Switch, Text, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { readableText } from "@/lib/readable-text";
import { FormStack } from "@/shared/form-stack";
import { type Note, useNoteMutations } from "./use-notes";

interface NoteFormProps {
  documentId: string;
  /** The note to change, or the passage that a new one is about. */
  about: Note | { quote: string; char_start: number; char_end: number };
  onDone: () => void;
}

/** The text of a note, and who sees it. */
export function NoteForm({ documentId, about, onDone }: NoteFormProps) {
  const { t } = useTranslation();
  const { create, update } = useNoteMutations();
  const note = "id" in about ? about : null;
  const form = useForm({
    initialValues: { text: note?.text ?? "", is_shared: note?.is_shared ?? false },
    validate: { text: (text) => (text.trim() ? null : t("notes:needed")) },
  });
  const submit = form.onSubmit((values) => {
    const path = { document_id: documentId };
    if (note) {
      update.mutate({ params: { path: { ...path, note_id: note.id } }, body: values }, { onSuccess: onDone });
    } else {
      const { char_start, char_end } = about;
      create.mutate({ params: { path }, body: { ...values, char_start, char_end } }, { onSuccess: onDone });
    }
  });
  return (
    <FormStack onSubmit={submit} mutation={note ? update : create} submitLabel={t("actions.save")}>
      <Text component="blockquote" m={0} className="lectern-quote" lineClamp={4}>
        {readableText(about.quote)}
      </Text>
      <Textarea
        label={t("notes:text")}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={10_000}
        data-autofocus
        {...form.getInputProps("text")}
      />
      <Switch
        label={t("notes:share")}
        description={t("notes:shareHint")}
        {...form.getInputProps("is_shared", { type: "checkbox" })}
      />
    </FormStack>
  );
}
