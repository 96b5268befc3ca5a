import { IconLock } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Document, typeExtension } from "@/features/documents/status/document-status";
import styles from "./first-page.module.css";

/** Uploaded pictures are their own page. Larger ones would cost more than a small picture is worth. */
const PICTURES = ["image/png", "image/jpeg", "image/webp"];
const MOST_BYTES = 4_000_000;
/** One size for the panel, the grid and the home page, so that the caches hold one picture of a document. */
const WIDTH_PX = 480;

/** Return the address of a picture of the first page, or null if the document has none. */
export function firstPageUrl(document: Document): string | null {
  if (document.page_images === "available") {
    return `/api/v1/documents/${document.id}/pages/1/image?width=${WIDTH_PX}`;
  }
  const isPicture = PICTURES.includes(document.content_type) && document.size_bytes <= MOST_BYTES;
  return isPicture ? `/api/v1/documents/${document.id}/original?is_inline=true` : null;
}

/** The first page of a document. Without a picture of it: the type of the file, and what happened to the picture. */
export function FirstPage({ document }: { document: Document }) {
  const { t } = useTranslation();
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  const url = firstPageUrl(document);
  if (document.error?.code === "encrypted") {
    return (
      <div className={styles.frame} data-state="none">
        <IconLock size={28} stroke={1.5} aria-hidden />
        <span>{t("documents.firstPage.locked")}</span>
      </div>
    );
  }
  if (url === null || state === "failed") {
    // a PDF that was opened with a password: its text is here, but the password is not
    const reason = document.page_images === "locked" ? "noPassword" : url === null ? null : "failed";
    return (
      <div className={styles.frame} data-state="none">
        <span className={styles.type}>{typeExtension(document.content_type)}</span>
        {reason ? <span>{t(`documents.firstPage.${reason}`)}</span> : null}
      </div>
    );
  }
  return (
    <div className={styles.frame} data-state={state}>
      <img
        src={url}
        alt={t("documents.firstPage.alt", { title: document.title ?? document.filename })}
        loading="lazy"
        decoding="async"
        onLoad={() => setState("shown")}
        onError={() => setState("failed")}
      />
    </div>
  );
}
