import { ActionIcon, Group, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { IconPencil, IconTrash, IconUsers } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatAge } from "@/lib/format";
import { readableText } from "@/lib/readable-text";
import { openDialog } from "@/shared/dialog";
import { notifyDone, notifyError } from "@/shared/notify";
import { PlainList } from "@/shared/states";
import { NoteForm } from "./note-form";
import { type Note, useNoteMutations, useNotes } from "./use-notes";

interface NotesListProps {
  documentId: string;
  onOpen: (note: Note) => void;
}

/** The notes on a document. Each opens its passage. Nothing without one. */
export function NotesList({ documentId, onOpen }: NotesListProps) {
  const { t } = useTranslation();
  const notes = useNotes(documentId);
  if (notes.length === 0) return null;
  return (
    <section aria-labelledby="notes">
      <Title order={2} size="h6" id="notes" mb="xs">
        {t("notes:title")}
      </Title>
      <PlainList gap="md">
        {notes.map((note) => (
          <li key={note.id}>
            <NoteItem documentId={documentId} note={note} onOpen={onOpen} />
          </li>
        ))}
      </PlainList>
    </section>
  );
}

function NoteItem({ documentId, note, onOpen }: NotesListProps & { note: Note }) {
  const { t } = useTranslation();
  const { create, remove } = useNoteMutations();
  const path = { document_id: documentId };

  function drop() {
    const { char_start, char_end, text, is_shared } = note;
    const restore = () =>
      create.mutate({ params: { path }, body: { char_start, char_end, text, is_shared } }, { onError: notifyError });
    remove.mutate(
      { params: { path: { ...path, note_id: note.id } } },
      {
        onSuccess: () => notifyDone(t("notes:deleted"), note.is_outdated ? {} : { onUndo: restore }),
        onError: notifyError,
      },
    );
  }

  return (
    <Stack gap={4}>
      <UnstyledButton onClick={() => onOpen(note)} disabled={note.is_outdated}>
        <Text component="blockquote" m={0} size="sm" className="lectern-quote" lineClamp={2}>
          {readableText(note.quote)}
        </Text>
      </UnstyledButton>
      <Text size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
        {note.text}
      </Text>
      <Group gap={6} justify="space-between" wrap="nowrap">
        <Text size="xs" c="dimmed" truncate>
          {note.is_shared ? <IconUsers size={12} aria-label={t("notes:shared")} role="img" /> : null}{" "}
          {[
            note.is_mine ? null : note.author_name,
            t("search.page", { page: note.page_number }),
            note.is_outdated ? t("notes:outdated", { version: note.version }) : null,
            formatAge(note.updated_at),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Text>
        {note.is_mine ? (
          <Group gap={2} wrap="nowrap" style={{ flex: "none" }}>
            <ActionIcon
              color="gray"
              size="sm"
              aria-label={t("notes:edit")}
              title={t("notes:edit")}
              onClick={() =>
                openDialog(t("notes:edit"), (close) => <NoteForm documentId={documentId} about={note} onDone={close} />)
              }
            >
              <IconPencil size={15} aria-hidden />
            </ActionIcon>
            <ActionIcon color="gray" size="sm" aria-label={t("notes:delete")} title={t("notes:delete")} onClick={drop}>
              <IconTrash size={15} aria-hidden />
            </ActionIcon>
          </Group>
        ) : null}
      </Group>
    </Stack>
  );
}
