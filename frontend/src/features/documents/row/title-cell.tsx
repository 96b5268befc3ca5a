import { useRouter } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import type { Document } from "@/features/documents/status/document-status";
import styles from "./title-cell.module.css";

interface TitleCellProps {
  document: Document;
  /** Facts without a column on a narrow screen. */
  facts?: string;
}

/** The title, which opens the document, and the filename where it says something else. */
export function TitleCell({ document, facts }: TitleCellProps) {
  const router = useRouter();
  const title = document.title || document.filename;

  // A plain link: the router's own one follows every change of the address, in each of a hundred rows.
  function open(event: MouseEvent) {
    event.stopPropagation();
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to: "/documents/$documentId", params: { documentId: document.id } });
  }

  return (
    <div className={styles.cell}>
      <a href={`/documents/${document.id}`} className={styles.link} onClick={open}>
        {title}
      </a>
      <div className={styles.line}>
        {title === document.filename ? null : (
          <span className={styles.filename} title={document.filename}>
            {document.filename}
          </span>
        )}
        {facts ? <span className={styles.facts}>{facts}</span> : null}
      </div>
    </div>
  );
}
