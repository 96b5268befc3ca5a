import { IconArrowDown, IconArrowUp, IconSelector } from "@tabler/icons-react";
import type { Sort } from "./documents-search";
import styles from "./documents-table.module.css";

interface SortHeadProps {
  by: Exclude<Sort, `-${string}`>;
  label: string;
  sort: Sort;
  onSort: (sort: Sort) => void;
  className?: string | undefined;
}

/** The head of a column that orders the list; a second click turns the order round. */
export function SortHead({ by, label, sort, onSort, className }: SortHeadProps) {
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
