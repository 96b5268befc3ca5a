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
      {title === document.filename ? null : (
        <div className={styles.filename} title={document.filename}>
          {document.filename}
        </div>
      )}
      {facts ? <div className={styles.facts}>{facts}</div> : null}
    </div>
  );
}
