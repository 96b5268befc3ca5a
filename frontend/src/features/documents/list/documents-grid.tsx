import { useRouter } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { memo, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useCanWrite } from "@/features/collections/use-collections";
import { FirstPage } from "@/features/documents/peek/first-page";
import { peekedId } from "@/features/documents/peek/peeked-id";
import { openOnClick } from "@/features/documents/row/open-on-click";
import { RowMenu } from "@/features/documents/row/row-menu";
import { TitleCell } from "@/features/documents/row/title-cell";
import { type Document, typeExtension } from "@/features/documents/status/document-status";
import { RowStatus } from "@/features/documents/status/status-cell";
import { formatAge } from "@/lib/format";
import styles from "./documents-grid.module.css";
import type { Selection } from "./use-selection";
import { useToggle } from "./use-toggle";

interface DocumentsGridProps {
  documents: Document[];
  selection: Selection;
  isFetching: boolean;
}

/** The list as pictures of first pages, for those who know documents by sight. */
export function DocumentsGrid({ documents, selection, isFetching }: DocumentsGridProps) {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const toggle = useToggle(documents, selection);
  const peeked = peekedId.use();
  const chosen = useMemo(() => new Set(selection.documents.map(({ id }) => id)), [selection.documents]);
  return (
    <ul className={styles.grid} aria-busy={isFetching} data-fetching={isFetching || undefined}>
      {documents.map((document) => (
        <GridCard
          key={document.id}
          document={document}
          canWrite={canWrite(document.collection.id)}
          isSelected={selection.isAll || chosen.has(document.id)}
          isPeeked={peeked === document.id}
          onToggle={toggle}
          t={t}
        />
      ))}
    </ul>
  );
}

interface GridCardProps {
  document: Document;
  canWrite: boolean;
  isSelected: boolean;
  isPeeked: boolean;
  onToggle: (document: Document) => void;
  t: TFunction;
}

const GridCard = memo(function GridCard(props: GridCardProps) {
  const { document, canWrite, isSelected, isPeeked, onToggle, t } = props;
  const router = useRouter();
  const facts = [
    typeExtension(document.content_type),
    document.page_count === null ? null : t("documents.pagesCount", { count: document.page_count }),
    formatAge(document.created_at).replaceAll(" ", "\u00a0"),
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the title is the link for the keyboard
    <li
      className={styles.card}
      onClick={(event) => openOnClick(router, document.id, event)}
      data-document={document.id}
      data-selected={isSelected || undefined}
      data-peeked={isPeeked || undefined}
    >
      <FirstPage document={document} />
      {canWrite ? (
        <input
          type="checkbox"
          aria-label={t("documents.select", { title: document.title ?? document.filename })}
          checked={isSelected}
          onChange={() => onToggle(document)}
        />
      ) : null}
      <div className={styles.line}>
        <TitleCell document={document} isShort />
        <RowMenu document={document} canWrite={canWrite} isInList t={t} />
      </div>
      <div className={styles.facts}>{facts.filter(Boolean).join(" · ")}</div>
      <RowStatus document={document} canWrite={canWrite} t={t} />
    </li>
  );
});
