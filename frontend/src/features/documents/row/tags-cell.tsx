import { Popover } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { FilterLink } from "@/features/documents/filters/filter-link";
import type { Document } from "@/features/documents/status/document-status";
import { useDocumentMutations } from "@/features/documents/use-documents";
import { TagChip } from "@/features/tags/tag-chip";
import { TagPicker } from "@/features/tags/tag-picker";
import { useEnsureTags } from "@/features/tags/use-tags";
import { FoldedList } from "@/shared/folded-list";
import { notifyError } from "@/shared/notify";
import { returnFocus } from "@/shared/return-focus";
import styles from "./tags-cell.module.css";
import { countThatFits } from "./tags-that-fit";

interface TagsCellProps {
  document: Document;
  colorOf: (name: string) => string | undefined;
  canWrite: boolean;
  /** In one line: "+2" stands for the tags without room. */
  isOneLine?: boolean;
  t: TFunction;
}

/** The tags of a document. A click on one filters the list, the pencil edits them. */
export function TagsCell({ document, colorOf, canWrite, isOneLine, t }: TagsCellProps) {
  const shown = isOneLine ? countThatFits(document.tags) : document.tags.length;
  const hidden = document.tags.slice(shown);
  const chips = document.tags.slice(0, shown).map((name) => (
    <FilterLink key={name} by="tag" value={name} label={t("documents.filterBy.tag", { name })}>
      <TagChip name={name} color={colorOf(name)} />
    </FilterLink>
  ));
  return (
    <div className={styles.chips} data-one-line={isOneLine || undefined}>
      {isOneLine ? chips : <FoldedList>{chips}</FoldedList>}
      {hidden.length > 0 ? (
        <span className={styles.more} title={hidden.join(", ")}>
          {`+${hidden.length}`}
        </span>
      ) : null}
      {canWrite ? <EditTags document={document} t={t} /> : null}
    </div>
  );
}

function EditTags({ document, t }: { document: Document; t: TFunction }) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => (isOpen ? returnFocus : undefined), [isOpen]);
  const button = (
    <button
      type="button"
      className={styles.edit}
      data-focus={`tags-${document.id}`}
      data-open={isOpen || undefined}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
    >
      {document.tags.length === 0 ? t("documents.addTags") : <IconPencil size={14} aria-hidden />}
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
