import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { FilterLink } from "@/features/documents/filters/filter-link";
import styles from "@/features/documents/list/documents-table.module.css";
import type { Column } from "@/features/documents/list/list-layout";
import { type Document, typeExtension } from "@/features/documents/status/document-status";
import { formatAge, formatBytes, formatDateTime, formatNumber } from "@/lib/format";
import { TagsCell } from "./tags-cell";

interface CellProps {
  document: Document;
  colorOf: (name: string) => string | undefined;
  canWrite: boolean;
  t: TFunction;
}

/** What a row shows in each column. */
export const CELLS: Record<Column, (props: CellProps) => ReactNode> = {
  tags: (props) => <TagsCell {...props} isOneLine />,
  collection: ({ document: { collection }, t }) => (
    <FilterLink
      by="collection"
      value={collection.name}
      label={t("documents.filterBy.collection", { name: collection.name })}
    >
      <span className={styles.cut} title={collection.name}>
        {collection.name}
      </span>
    </FilterLink>
  ),
  type: ({ document: { content_type: type }, t }) => (
    <FilterLink by="type" value={type} label={t("documents.filterBy.type", { name: typeExtension(type) })}>
      {typeExtension(type)}
    </FilterLink>
  ),
  pages: ({ document }) => (document.page_count === null ? "–" : formatNumber(document.page_count)),
  size: ({ document }) => formatBytes(document.size_bytes),
  language: ({ document }) => document.language?.toUpperCase() ?? "–",
  added: ({ document }) => <Age moment={document.created_at} />,
  updated: ({ document }) => <Age moment={document.updated_at} />,
};

function Age({ moment }: { moment: string }) {
  return (
    <time dateTime={moment} title={formatDateTime(moment)}>
      {formatAge(moment)}
    </time>
  );
}
