import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { toProblem } from "@/lib/api/problem";
import styles from "./page-thumbnail.module.css";
import type { Hit } from "./use-search";

const WIDTH = 96;
/** Twice the pixels: sharp on fine screens, and one picture for all of them in the caches. */
const PIXELS = WIDTH * 2;

/** The page of a hit as a small picture, whose place is kept while it comes; nothing for formats without pictures. */
export function PageThumbnail({ hit, pageNumber }: { hit: Hit; pageNumber: number }) {
  const { t } = useTranslation();
  const [state, setState] = useState<"loading" | "shown" | "none" | "locked">("loading");
  if (!hasPictures(hit)) return null;
  const address = `/api/v1/documents/${hit.document_id}/pages/${pageNumber}/image?width=${PIXELS}`;
  if (state === "locked") {
    const reason = t("search.thumbnailLocked");
    return (
      <div className={styles.frame} data-state={state} role="img" aria-label={reason} title={reason}>
        <IconLock size={28} stroke={1.5} aria-hidden />
      </div>
    );
  }
  return (
    <div className={styles.frame} data-state={state}>
      <img
        src={address}
        alt={t("search.thumbnail", { page: pageNumber, title: hit.title ?? hit.document })}
        width={WIDTH}
        height={Math.round(WIDTH * Math.SQRT2)}
        loading="lazy"
        decoding="async"
        onLoad={() => setState("shown")}
        onError={() => void isLocked(address).then((locked) => setState(locked ? "locked" : "none"))}
      />
    </div>
  );
}

/** Whether a picture is missing because nobody but a person with the password can see the page. */
async function isLocked(address: string): Promise<boolean> {
  try {
    const response = await globalThis.fetch(address, { credentials: "same-origin" });
    return !response.ok && (await toProblem(response)).code === "page_image_locked";
  } catch {
    return false; // out of reach, which is said elsewhere
  }
}

/** Words that have places stand on pages that can be drawn: only PDF has them. Asking for others would be an error. */
export function hasPictures(hit: Pick<Hit, "document" | "highlights">): boolean {
  return /\.pdf$/i.test(hit.document) || hit.highlights.some((highlight) => highlight.rects.length > 0);
}
