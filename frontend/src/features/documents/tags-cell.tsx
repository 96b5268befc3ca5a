import type { TFunction } from "i18next";
import { Suspense, useEffect, useState } from "react";
import { TagChip } from "@/features/tags/tag-chip";
import { lazyCode } from "@/lib/load-code";
import { fetchWhenIdle } from "@/lib/when-idle";
import { returnFocus } from "@/shared/return-focus";
import type { Document } from "./document-status";
import styles from "./tags-cell.module.css";

const loadPopover = async () => ({ default: (await import("./tags-popover")).TagsPopover });
const TagsPopover = lazyCode(loadPopover);

interface TagsCellProps {
  document: Document;
  colorOf: (name: string) => string | undefined;
  canWrite: boolean;
  t: TFunction;
}

/** The tags of a document; a click edits them where they stand. */
export function TagsCell({ document, colorOf, canWrite, t }: TagsCellProps) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => (canWrite ? fetchWhenIdle(loadPopover) : undefined), [canWrite]);
  useEffect(() => (isOpen ? returnFocus : undefined), [isOpen]);
  const chips = document.tags.map((name) => <TagChip key={name} name={name} color={colorOf(name)} />);
  if (!canWrite) return <div className={styles.chips}>{chips}</div>;
  const button = (
    <button
      type="button"
      className={styles.button}
      data-focus={`tags-${document.id}`}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
    >
      {chips}
      {chips.length === 0 ? <span className={styles.add}>{t("documents.addTags")}</span> : null}
      <span className={styles.hidden}>
        {t("documents.editTags", { title: document.title ?? document.filename })}
      </span>
    </button>
  );
  // A popover for each of a hundred rows would cost more than the rows: it is made when it is opened.
  if (!isOpen) return button;
  return (
    <Suspense fallback={button}>
      <TagsPopover document={document} onClose={() => setIsOpen(false)}>
        {button}
      </TagsPopover>
    </Suspense>
  );
}
