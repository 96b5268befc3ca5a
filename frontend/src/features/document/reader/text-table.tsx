import { Button } from "@mantine/core";
import type { Table, TableCell, TableRow } from "mdast";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/lib/format";
import { isFigure } from "./cell-rows";
import { rangeOf } from "./text-nodes";
import styles from "./text-page.module.css";

/** More rows would keep the browser busy for seconds. */
const MOST_ROWS = 500;

interface TextTableProps {
  table: Table;
  /** Offset of the passage that must be rendered. */
  current: number;
  renderCell: (cell: TableCell) => ReactNode;
}

/** A table with its head in sight. The rows of a long one render up to the current passage. */
export function TextTable({ table, current, renderCell }: TextTableProps) {
  const { t } = useTranslation();
  const [isWhole, setIsWhole] = useState(false);
  const isOfLines = table.data?.isOfLines ?? false;
  const body = isOfLines ? table.children : table.children.slice(1);
  const currentRow = body.findIndex((row) => current >= rangeOf(row).start && current < rangeOf(row).end);
  const rows = isWhole ? body : body.slice(0, Math.max(MOST_ROWS, currentRow + 50));
  return (
    <>
      {isOfLines ? (
        <div className={styles.lines} ref={focusIfWide}>
          <LinesTable rows={rows} renderCell={renderCell} />
        </div>
      ) : (
        <HeadedTable head={table.children[0]} rows={rows} renderCell={renderCell} />
      )}
      {rows.length < body.length ? (
        <Button variant="default" size="xs" mb="md" onClick={() => setIsWhole(true)}>
          {t("reader.allRows", { rows: formatNumber(body.length) })}
        </Button>
      ) : null}
    </>
  );
}

interface RowsProps extends Pick<TextTableProps, "renderCell"> {
  head?: TableRow | undefined;
  rows: TableRow[];
}

const HeadedTable = ({ head, rows, renderCell }: RowsProps) => (
  <table className={styles.table}>
    <thead>
      <tr>
        {head?.children.map((cell) => (
          <th key={rangeOf(cell).start} scope="col">
            {renderCell(cell)}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={rangeOf(row).start}>
          {row.children.map((cell) => (
            <td key={rangeOf(cell).start}>{renderCell(cell)}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

/** A longer cell may be broken into lines. */
const LONG_CELL = 20;

const textOf = (cell: TableCell) => cell.children.map((node) => ("value" in node ? node.value : "")).join("");

/** Rows that were lines of text, each named by its first cell. A row of one cell goes across all columns. */
function LinesTable({ rows, renderCell }: RowsProps) {
  const columns = rows[0]?.children.length ?? 1;
  const full = rows.filter((row) => row.children.length === columns);
  const isOfFigures = Array.from({ length: columns }, (_, column) => {
    const figures = full.filter(({ children }) => children[column] && isFigure(textOf(children[column])));
    return column > 0 && figures.length > full.length / 2;
  });
  return (
    <table className={styles.table}>
      <tbody>
        {rows.map((row) => (
          <tr key={rangeOf(row).start}>
            {row.children.map((cell, column) => {
              const Cell = column === 0 ? "th" : "td";
              return (
                <Cell
                  key={rangeOf(cell).start}
                  scope={column === 0 ? "row" : undefined}
                  colSpan={row.children.length < columns ? columns : undefined}
                  data-long={textOf(cell).length > LONG_CELL || undefined}
                  data-figures={isOfFigures[column] || undefined}
                >
                  {renderCell(cell)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The keyboard scrolls what has the focus: a table that is wider than the page needs it. */
function focusIfWide(box: HTMLDivElement | null) {
  if (!box) return undefined;
  const observer = new ResizeObserver(() =>
    box.setAttribute("tabindex", box.scrollWidth > box.clientWidth ? "0" : "-1"),
  );
  observer.observe(box);
  return () => observer.disconnect();
}
