import { useState } from "react";
import { useTranslation } from "react-i18next";
import styles from "./page-thumbnail.module.css";
import type { Hit } from "./use-search";

const WIDTH = 96;
/** Twice the pixels: sharp on fine screens, and one picture for all of them in the caches. */
const PIXELS = WIDTH * 2;

/** The page of a hit as a small picture, whose place is kept while it comes; nothing for formats without pictures. */
export function PageThumbnail({ hit, pageNumber }: { hit: Hit; pageNumber: number }) {
  const { t } = useTranslation();
  const [state, setState] = useState<"loading" | "shown" | "none">("loading");
  if (!hasPictures(hit)) return null;
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

/** Words that have places stand on pages that can be drawn: only PDF has them. Asking for others would be an error. */
export function hasPictures(hit: Pick<Hit, "document" | "highlights">): boolean {
  return /\.pdf$/i.test(hit.document) || hit.highlights.some((highlight) => highlight.rects.length > 0);
}
