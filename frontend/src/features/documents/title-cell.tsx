import { Link } from "@tanstack/react-router";
import type { Document } from "./document-status";
import styles from "./title-cell.module.css";

interface TitleCellProps {
  document: Document;
  /** What has no column of its own on a narrow screen. */
  facts?: string;
}

/** The title, which opens the document, and the filename where it says something else. */
export function TitleCell({ document, facts }: TitleCellProps) {
  const title = document.title || document.filename;
  return (
    <div className={styles.cell}>
      <Link
        to="/documents/$documentId"
        params={{ documentId: document.id }}
        className={styles.link}
        preload={false}
        onClick={(event) => event.stopPropagation()}
      >
        {title}
      </Link>
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
