import { Popover } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { TagPicker } from "@/features/tags/tag-picker";
import { useEnsureTags } from "@/features/tags/use-tags";
import { notifyError } from "@/shared/notify";
import type { Document } from "./document-status";
import { useDocumentMutations } from "./use-documents";

interface TagsPopoverProps {
  document: Document;
  onClose: () => void;
  /** The button that it belongs to. */
  children: ReactNode;
}

/** Editing the tags of a document; a chunk of its own, because most people who look at the list only look. */
export function TagsPopover({ document, onClose, children }: TagsPopoverProps) {
  return (
    <Popover
      opened
      onChange={(isOpen) => (isOpen ? undefined : onClose())}
      width={300}
      trapFocus
      returnFocus
      withinPortal
      shadow="md"
      position="bottom-start"
    >
      <Popover.Target>{children}</Popover.Target>
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
