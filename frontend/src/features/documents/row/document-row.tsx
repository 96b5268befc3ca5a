import { useRouter } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { type MouseEvent, memo } from "react";
import { FilterLink } from "@/features/documents/filters/filter-link";
import styles from "@/features/documents/list/documents-table.module.css";
import { type Document, typeExtension } from "@/features/documents/status/document-status";
import { RowStatus } from "@/features/documents/status/status-cell";
import { formatAge, formatBytes, formatDateTime, formatNumber } from "@/lib/format";
import { RowMenu } from "./row-menu";
import { TagsCell } from "./tags-cell";
import { TitleCell } from "./title-cell";

interface DocumentRowProps {
  document: Document;
  colorOf: (name: string) => string | undefined;
  canSelect: boolean;
  t: TFunction;
  canWrite: boolean;
  isSelected: boolean;
  isPeeked: boolean;
  onToggle: (document: Document) => void;
}

/** One document of the table; a click opens it. */
export const DocumentRow = memo(function DocumentRow(props: DocumentRowProps) {
  const { document, colorOf, canSelect, canWrite, isSelected, isPeeked, onToggle, t } = props;
  const router = useRouter();
  const {
    collection: { name: collection },
    content_type: type,
  } = document;

  function open(event: MouseEvent) {
    // Controls keep their clicks. Events of popovers bubble up to the row too.
    if (!(event.currentTarget as Element).contains(event.target as Node)) return;
    if ((event.target as Element).closest("a, button, input, label")) return;
    void router.navigate({ to: "/documents/$documentId", params: { documentId: document.id } });
  }

  return (
    <tr
      onClick={open}
      data-document={document.id}
      data-selected={isSelected || undefined}
      data-peeked={isPeeked || undefined}
    >
      {canSelect ? (
        <td className={styles.check}>
          <input
            type="checkbox"
            aria-label={t("documents.select", { title: document.title ?? document.filename })}
            checked={isSelected}
            onChange={() => onToggle(document)}
          />
        </td>
      ) : null}
      <td>
        <div className={styles.title}>
          <TitleCell document={document} isOneLine />
          <RowStatus document={document} canWrite={canWrite} t={t} />
        </div>
      </td>
      <td className={styles.tags}>
        <TagsCell document={document} colorOf={colorOf} canWrite={canWrite} isOneLine t={t} />
      </td>
      <td className={styles.collection}>
        <FilterLink by="collection" value={collection} label={t("documents.filterBy.collection", { name: collection })}>
          <span className={styles.cut} title={collection}>
            {collection}
          </span>
        </FilterLink>
      </td>
      <td className={styles.type}>
        <FilterLink by="type" value={type} label={t("documents.filterBy.type", { name: typeExtension(type) })}>
          {typeExtension(type)}
        </FilterLink>
      </td>
      <td className={styles.pages}>{document.page_count === null ? "–" : formatNumber(document.page_count)}</td>
      <td className={styles.size}>{formatBytes(document.size_bytes)}</td>
      <td className={styles.language}>{document.language?.toUpperCase() ?? "–"}</td>
      <td className={styles.added}>
        <time dateTime={document.created_at} title={formatDateTime(document.created_at)}>
          {formatAge(document.created_at)}
        </time>
      </td>
      <td className={styles.actions}>
        <RowMenu document={document} canWrite={canWrite} isInList t={t} />
      </td>
    </tr>
  );
});
