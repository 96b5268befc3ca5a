import { IconArrowDown, IconArrowUp, IconSelector } from "@tabler/icons-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useCanWrite } from "@/features/collections/use-collections";
import type { Sort } from "@/features/documents/documents-search";
import { peekedId } from "@/features/documents/peek/peeked-id";
import { DocumentRow } from "@/features/documents/row/document-row";
import type { Document } from "@/features/documents/status/document-status";
import { useTagColor } from "@/features/tags/use-tags";
import { ColumnsMenu } from "./columns-menu";
import styles from "./documents-table.module.css";
import { type Column, chosenColumns, DEFAULT_COLUMNS } from "./list-layout";
import type { Selection } from "./use-selection";
import { useToggle } from "./use-toggle";

interface DocumentsTableProps {
  documents: Document[];
  sort: Sort | undefined;
  onSort: (sort: Sort) => void;
  selection: Selection;
  isFetching: boolean;
}

const SORTED_BY: Partial<Record<Column, Exclude<Sort, `-${string}`>>> = {
  pages: "page_count",
  size: "size_bytes",
  added: "created_at",
};
const TITLE_PX = 420;
const COLUMN_PX = 84;

/**
 * The list where there is room for columns. It is plain HTML, with rows that are drawn anew only when they change: to
 * turn a page of fifty rows took 670 ms of script with a table of ready-made components, and takes 70 ms so.
 */
export function DocumentsTable({
  documents,
  sort = "-created_at",
  onSort,
  selection,
  isFetching,
}: DocumentsTableProps) {
  const { t } = useTranslation();
  const colorOf = useTagColor();
  const canWrite = useCanWrite();
  const canSelect = canWrite();
  const toggle = useToggle(documents, selection);
  const chosen = useMemo(() => new Set(selection.documents.map(({ id }) => id)), [selection.documents]);
  const peeked = peekedId.use();
  const ownColumns = chosenColumns.use();
  const columns = ownColumns ?? DEFAULT_COLUMNS;
  // Chosen columns are never left out: a narrow window scrolls sideways.
  const width = ownColumns ? { minWidth: TITLE_PX + ownColumns.length * COLUMN_PX } : undefined;
  const head = { sort, onSort };
  return (
    <div className={styles.frame} data-fetching={isFetching || undefined}>
      <table
        className={styles.table}
        style={width}
        data-fluid={ownColumns === null || undefined}
        aria-busy={isFetching}
      >
        <thead>
          <tr>
            {canSelect ? (
              <th className={styles.check}>
                <SelectPage documents={documents} selection={selection} chosen={chosen} />
              </th>
            ) : null}
            <SortHead {...head} by="title" label={t("documents.column.title")} />
            {columns.map((column) => {
              const by = SORTED_BY[column];
              const label = t(`documents.column.${column}`);
              return by ? (
                <SortHead key={column} {...head} by={by} label={label} className={styles[column]} />
              ) : (
                <th key={column} className={styles[column]}>
                  {label}
                </th>
              );
            })}
            <th className={styles.actions}>
              <ColumnsMenu />
            </th>
          </tr>
        </thead>
        <tbody>
          {documents.map((document) => (
            <DocumentRow
              key={document.id}
              document={document}
              columns={columns}
              colorOf={colorOf}
              canSelect={canSelect}
              canWrite={canWrite(document.collection.id)}
              isSelected={selection.isAll || chosen.has(document.id)}
              isPeeked={peeked === document.id}
              onToggle={toggle}
              t={t}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface SelectPageProps {
  documents: Document[];
  selection: Selection;
  chosen: ReadonlySet<string>;
}

function SelectPage({ documents, selection, chosen }: SelectPageProps) {
  const { t } = useTranslation();
  const count = selection.isAll ? documents.length : documents.filter(({ id }) => chosen.has(id)).length;
  const isAll = count === documents.length && count > 0;
  function toggleAll() {
    const ids = new Set(documents.map(({ id }) => id));
    const others = selection.documents.filter(({ id }) => !ids.has(id));
    selection.set(isAll ? others : [...others, ...documents]);
  }
  return (
    <input
      type="checkbox"
      aria-label={t("documents.selectPage")}
      checked={isAll}
      ref={(input) => {
        if (input) input.indeterminate = count > 0 && !isAll;
      }}
      onChange={toggleAll}
    />
  );
}

interface SortHeadProps {
  by: Exclude<Sort, `-${string}`>;
  label: string;
  sort: Sort;
  onSort: (sort: Sort) => void;
  className?: string | undefined;
}

/** The head of a column that orders the list; a second click turns the order round. */
function SortHead({ by, label, sort, onSort, className }: SortHeadProps) {
  const isUp = sort === by;
  const isDown = sort === `-${by}`;
  const Icon = isUp ? IconArrowUp : isDown ? IconArrowDown : IconSelector;
  return (
    <th className={className} aria-sort={isUp ? "ascending" : isDown ? "descending" : "none"}>
      <button type="button" className={styles.sort} onClick={() => onSort(isUp ? `-${by}` : by)}>
        {label}
        <Icon size={14} aria-hidden />
      </button>
    </th>
  );
}
