import type { TFunction } from "i18next";
import { memo, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useCanWrite } from "@/features/collections/use-collections";
import { RowMenu } from "@/features/documents/row/row-menu";
import { TagsCell } from "@/features/documents/row/tags-cell";
import { TitleCell } from "@/features/documents/row/title-cell";
import { type Document, typeExtension } from "@/features/documents/status/document-status";
import { RowStatus } from "@/features/documents/status/status-cell";
import { useTagColor } from "@/features/tags/use-tags";
import { formatAge, formatBytes } from "@/lib/format";
import styles from "./document-cards.module.css";
import type { Selection } from "./use-selection";
import { useToggle } from "./use-toggle";

interface DocumentCardsProps {
  documents: Document[];
  selection: Selection;
  isFetching: boolean;
}

/** The list where there is no room for columns. */
export function DocumentCards({ documents, selection, isFetching }: DocumentCardsProps) {
  const { t } = useTranslation();
  const colorOf = useTagColor();
  const canWrite = useCanWrite();
  const toggle = useToggle(documents, selection);
  const chosen = useMemo(() => new Set(selection.documents.map(({ id }) => id)), [selection.documents]);
  return (
    <ul className={styles.list} aria-busy={isFetching} data-fetching={isFetching || undefined}>
      {documents.map((document) => (
        <DocumentCard
          key={document.id}
          document={document}
          colorOf={colorOf}
          canWrite={canWrite(document.collection.id)}
          isSelected={selection.isAll || chosen.has(document.id)}
          onToggle={toggle}
          t={t}
        />
      ))}
    </ul>
  );
}

interface DocumentCardProps {
  document: Document;
  colorOf: (name: string) => string | undefined;
  canWrite: boolean;
  isSelected: boolean;
  t: TFunction;
  onToggle: (document: Document) => void;
}

const DocumentCard = memo(function DocumentCard(props: DocumentCardProps) {
  const { document, colorOf, canWrite, isSelected, onToggle, t } = props;
  const facts = [
    typeExtension(document.content_type),
    document.collection.name,
    document.page_count === null ? null : t("documents.pagesCount", { count: document.page_count }),
    formatBytes(document.size_bytes),
    document.language?.toUpperCase(),
    // a narrow window does not part a date
    formatAge(document.created_at).replaceAll(" ", "\u00a0"),
  ];
  return (
    <li className={styles.card} data-document={document.id} data-selected={isSelected || undefined}>
      {canWrite ? (
        <input
          type="checkbox"
          aria-label={t("documents.select", { title: document.title ?? document.filename })}
          checked={isSelected}
          onChange={() => onToggle(document)}
        />
      ) : null}
      <div className={styles.body}>
        <TitleCell document={document} />
        <div className={styles.facts}>{facts.filter(Boolean).join(" · ")}</div>
        <TagsCell document={document} colorOf={colorOf} canWrite={canWrite} isOneLine t={t} />
        <RowStatus document={document} canWrite={canWrite} isWide t={t} />
      </div>
      <RowMenu document={document} canWrite={canWrite} isInList t={t} />
    </li>
  );
});
