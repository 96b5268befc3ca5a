import { IconLock } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import styles from "./page-thumbnail.module.css";
import type { Hit } from "./use-search";

const WIDTH = 96;
/** Twice the pixels: sharp on fine screens, and one picture for all of them in the caches. */
const PIXELS = WIDTH * 2;

/** The page of a hit as a small picture, whose place is kept while it comes; not asked for where there is none. */
export function PageThumbnail({ hit, pageNumber }: { hit: Hit; pageNumber: number }) {
  const { t } = useTranslation();
  const [state, setState] = useState<"loading" | "shown" | "none">("loading");
  if (hit.page_images === "none") return null;
  if (hit.page_images === "locked") {
    const reason = t("search.thumbnailLocked");
    return (
      <div className={styles.frame} data-state="locked" role="img" aria-label={reason} title={reason}>
        <IconLock size={28} stroke={1.5} aria-hidden />
      </div>
    );
  }
  return (
    <div className={styles.frame} data-state={state}>
      <img
        src={`/api/v1/documents/${hit.document_id}/pages/${pageNumber}/image?width=${PIXELS}`}
        alt={t("search.thumbnail", { page: pageNumber, title: hit.title ?? hit.document })}
        width={WIDTH}
        height={Math.round(WIDTH * Math.SQRT2)}
        loading="lazy"
        decoding="async"
        onLoad={() => setState("shown")}
        onError={() => setState("none")}
      />
    </div>
  );
}
