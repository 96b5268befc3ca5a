import { useNavigate } from "@tanstack/react-router";
import { DataTable, type DataTableColumn, type DataTableSortStatus } from "mantine-datatable";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useTagColor } from "@/features/tags/use-tags";
import { formatBytes, formatDate, formatDateTime, formatNumber } from "@/lib/format";
import type { Document } from "./document-status";
import type { Sort } from "./documents-search";
import styles from "./documents-table.module.css";
import { RowMenu } from "./row-menu";
import { StatusCell } from "./status-cell";
import { TagsCell } from "./tags-cell";
import { TitleCell } from "./title-cell";
import { useCanWrite } from "./use-can-write";
import type { Selection } from "./use-selection";

interface DocumentsTableProps {
  documents: Document[];
  sort: Sort | undefined;
  onSort: (sort: Sort) => void;
  selection: Selection;
  isFetching: boolean;
}

// Where size and language have no column of their own they stand under the title.
const WIDE = "(min-width: 85em)";

/** The list where there is room for columns. */
export function DocumentsTable({ documents, sort, onSort, selection, isFetching }: DocumentsTableProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const columns = useColumns();
  const canWrite = useCanWrite();
  return (
    <DataTable<Document>
      className={styles.table ?? ""}
      data-fetching={isFetching || undefined}
      aria-busy={isFetching}
      withTableBorder
      borderRadius="md"
      verticalSpacing={6}
      verticalAlign="top"
      highlightOnHover
      columns={columns}
      records={documents}
      minHeight={documents.length === 0 ? 120 : 0}
      noRecordsText={t("documents.filter.none")}
      sortStatus={toSortStatus(sort ?? "-created_at")}
      onSortStatusChange={(status) => onSort(fromSortStatus(status))}
      onRowClick={({ record, event }) => {
        if ((event.target as Element).closest("a, button, input, label, [role=dialog]")) return;
        void navigate({ to: "/documents/$documentId", params: { documentId: record.id } });
      }}
      {...(canWrite()
        ? {
            selectedRecords: selection.isAll ? documents : selection.documents,
            onSelectedRecordsChange: selection.set,
            allRecordsSelectionCheckboxProps: { "aria-label": t("documents.selectPage") },
            getRecordSelectionCheckboxProps: (document: Document) => ({
              "aria-label": t("documents.select", { title: document.title ?? document.filename }),
            }),
          }
        : {})}
    />
  );
}

function toSortStatus(sort: Sort): DataTableSortStatus<Document> {
  return { columnAccessor: sort.replace("-", ""), direction: sort.startsWith("-") ? "desc" : "asc" };
}

function fromSortStatus({ columnAccessor, direction }: DataTableSortStatus<Document>): Sort {
  return `${direction === "desc" ? "-" : ""}${String(columnAccessor)}` as Sort;
}

function useColumns(): DataTableColumn<Document>[] {
  const { t } = useTranslation();
  const colorOf = useTagColor();
  const canWrite = useCanWrite();
  return useMemo(
    () => [
      {
        accessor: "title",
        title: t("documents.column.title"),
        sortable: true,
        render: (document) => (
          <TitleCell
            document={document}
            facts={[formatBytes(document.size_bytes), document.language?.toUpperCase()]
              .filter(Boolean)
              .join(" · ")}
          />
        ),
      },
      {
        accessor: "tags",
        title: t("documents.column.tags"),
        width: 172,
        render: (document) => (
          <TagsCell document={document} colorOf={colorOf} canWrite={canWrite(document.collection.id)} />
        ),
      },
      {
        accessor: "collection",
        title: t("documents.column.collection"),
        width: 112,
        visibleMediaQuery: "(min-width: 62em)",
        render: ({ collection }) => collection.name,
      },
      {
        accessor: "page_count",
        title: t("documents.column.pages"),
        sortable: true,
        width: 82,
        textAlign: "right",
        visibleMediaQuery: "(min-width: 62em)",
        render: ({ page_count }) => (page_count === null ? "–" : formatNumber(page_count)),
      },
      {
        accessor: "size_bytes",
        title: t("documents.column.size"),
        sortable: true,
        width: 96,
        textAlign: "right",
        visibleMediaQuery: WIDE,
        render: ({ size_bytes }) => formatBytes(size_bytes),
      },
      {
        accessor: "language",
        title: t("documents.column.language"),
        width: 72,
        visibleMediaQuery: WIDE,
        render: ({ language }) => language?.toUpperCase() ?? "–",
      },
      {
        accessor: "status",
        title: t("documents.column.status"),
        sortable: true,
        width: 184,
        render: (document) => <StatusCell document={document} canWrite={canWrite(document.collection.id)} />,
      },
      {
        accessor: "created_at",
        title: t("documents.column.added"),
        sortable: true,
        width: 124,
        noWrap: true,
        visibleMediaQuery: "(min-width: 62em)",
        render: ({ created_at }) => (
          <time dateTime={created_at} title={formatDateTime(created_at)}>
            {formatDate(created_at)}
          </time>
        ),
      },
      {
        accessor: "actions",
        title: <span className={styles.hidden}>{t("documents.column.actions")}</span>,
        width: 52,
        textAlign: "center",
        render: (document) => <RowMenu document={document} canWrite={canWrite(document.collection.id)} />,
      },
    ],
    [t, colorOf, canWrite],
  );
}
