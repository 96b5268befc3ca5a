import { useRouter } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";
import { changed, readDocumentsSearch } from "@/features/documents/documents-search";
import { type ClickFilter, filterHref, narrowed } from "./click-filter";
import styles from "./filter-link.module.css";

interface FilterLinkProps {
  by: ClickFilter;
  value: string;
  /** What it does, for screen readers. */
  label: string;
  title?: string;
  children: ReactNode;
}

const LIST = "/documents";

/** A value of a row. A click narrows the list to it, Alt and a click excludes a tag. */
export function FilterLink({ by, value, label, title, children }: FilterLinkProps) {
  const router = useRouter();

  // A plain link: the router's own one follows every change of the address, in each of a hundred rows.
  function filter(event: MouseEvent) {
    event.stopPropagation();
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const { pathname, search } = router.state.location;
    const current = pathname === LIST ? readDocumentsSearch(search) : {};
    void router.navigate({ to: LIST, search: changed(current, narrowed(current, by, value, event.altKey)) });
  }

  return (
    <a href={filterHref(by, value)} className={styles.link} aria-label={label} title={title} onClick={filter}>
      {children}
    </a>
  );
}
