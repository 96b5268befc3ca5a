import { Link } from "@tanstack/react-router";
import type { Document } from "./document-status";
import styles from "./title-cell.module.css";

/** The title, which opens the document, and the filename where it says something else. */
export function TitleCell({ document }: { document: Document }) {
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
    </div>
  );
}
