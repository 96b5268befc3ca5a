import { useRouter } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import type { Document } from "@/features/documents/status/document-status";
import styles from "./title-cell.module.css";

interface TitleCellProps {
  document: Document;
  /** In one line: the filename is the title of the link, and is read aloud. */
  isOneLine?: boolean;
  /** Two lines without the filename, which is the title of the link. */
  isShort?: boolean;
}

/** The title, which opens the document, and the filename if it is another. */
export function TitleCell({ document, isOneLine, isShort }: TitleCellProps) {
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
      <a
        href={`/documents/${document.id}`}
        className={styles.link}
        data-opens
        data-one-line={isOneLine || undefined}
        title={isOneLine || isShort ? document.filename : undefined}
        onClick={open}
      >
        {title}
      </a>
      {title === document.filename ? null : (
        <div className={isOneLine || isShort ? "lectern-hidden" : styles.filename} title={document.filename}>
          {document.filename}
        </div>
      )}
    </div>
  );
}
