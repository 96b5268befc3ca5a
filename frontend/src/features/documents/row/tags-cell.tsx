import { Popover } from "@mantine/core";
import type { TFunction } from "i18next";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Document } from "@/features/documents/status/document-status";
import { useDocumentMutations } from "@/features/documents/use-documents";
import { TagChip } from "@/features/tags/tag-chip";
import { TagPicker } from "@/features/tags/tag-picker";
import { useEnsureTags } from "@/features/tags/use-tags";
import { notifyError } from "@/shared/notify";
import { returnFocus } from "@/shared/return-focus";
import styles from "./tags-cell.module.css";

interface TagsCellProps {
  document: Document;
  colorOf: (name: string) => string | undefined;
  canWrite: boolean;
  /** Number of tags to show in one line; "+2" stands for the others. */
  shown?: number;
  t: TFunction;
}

/** The tags of a document; a click edits them where they stand. */
export function TagsCell({ document, colorOf, canWrite, shown, t }: TagsCellProps) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => (isOpen ? returnFocus : undefined), [isOpen]);
  const isOneLine = shown !== undefined || undefined;
  const hidden = document.tags.slice(shown ?? document.tags.length);
  const chips = [
    ...document.tags.slice(0, shown).map((name) => <TagChip key={name} name={name} color={colorOf(name)} />),
    ...(hidden.length > 0
      ? [
          <span key="more" className={styles.more} title={hidden.join(", ")}>
            {`+${hidden.length}`}
          </span>,
        ]
      : []),
  ];
  if (!canWrite) {
    return (
      <div className={styles.chips} data-one-line={isOneLine}>
        {chips}
      </div>
    );
  }
  const button = (
    <button
      type="button"
      className={styles.button}
      data-one-line={isOneLine}
      data-focus={`tags-${document.id}`}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
    >
      {chips}
      {chips.length === 0 ? <span className={styles.add}>{t("documents.addTags")}</span> : null}
      <span className="lectern-hidden">{t("documents.editTags", { title: document.title ?? document.filename })}</span>
    </button>
  );
  // A popover for each of a hundred rows would cost more than the rows: it is made when it is opened.
  if (!isOpen) return button;
  return (
    <Popover
      opened
      onChange={setIsOpen}
      width={300}
      trapFocus
      returnFocus
      withinPortal
      shadow="md"
      position="bottom-start"
    >
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown>
        <TagsEditor document={document} />
      </Popover.Dropdown>
    </Popover>
  );
}

function TagsEditor({ document }: { document: Document }) {
  const { t } = useTranslation();
  const [names, setNames] = useState(document.tags);
  const { update } = useDocumentMutations();
  const ensureTags = useEnsureTags();

  async function change(next: string[]) {
    setNames(next);
    try {
      await ensureTags(next);
      await update.mutateAsync({ params: { path: { document_id: document.id } }, body: { tags: next } });
    } catch (error) {
      setNames(names);
      notifyError(error);
    }
  }

  return (
    <TagPicker
      label={t("documents.tagsOf", { title: document.title ?? document.filename })}
      value={names}
      onChange={(next) => void change(next)}
      comboboxProps={{ withinPortal: false }}
      data-autofocus
    />
  );
}
