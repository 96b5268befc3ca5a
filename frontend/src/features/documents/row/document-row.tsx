import { useRouter } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { memo } from "react";
import styles from "@/features/documents/list/documents-table.module.css";
import type { Column } from "@/features/documents/list/list-layout";
import type { Document } from "@/features/documents/status/document-status";
import { RowStatus } from "@/features/documents/status/status-cell";
import { openOnClick } from "./open-on-click";
import { CELLS } from "./row-cells";
import { RowMenu } from "./row-menu";
import { TitleCell } from "./title-cell";

interface DocumentRowProps {
  document: Document;
  columns: readonly Column[];
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
  const { document, columns, colorOf, canSelect, canWrite, isSelected, isPeeked, onToggle, t } = props;
  const router = useRouter();
  return (
    <tr
      onClick={(event) => openOnClick(router, document.id, event)}
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
      {columns.map((column) => (
        <td key={column} className={styles[column]}>
          {CELLS[column]({ document, colorOf, canWrite, t })}
        </td>
      ))}
      <td className={styles.actions}>
        <RowMenu document={document} canWrite={canWrite} isInList t={t} />
      </td>
    </tr>
  );
});
