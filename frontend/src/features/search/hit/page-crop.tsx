import { IconLock } from "@tabler/icons-react";
import { type CSSProperties, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SearchUrl } from "@/features/search/search-url";
import type { Hit } from "@/features/search/use-search";
import { TextLink } from "@/shared/text-link";
import { hitLink } from "./hit-link";
import styles from "./page-crop.module.css";

/** Width of the whole page, of which a part is in sight. */
const PAGE_WIDTH = 620;

type Rect = Hit["highlights"][number]["rects"][number];
type PageMark = Hit["highlights"][number] & { isWash: boolean };

/** Return the page of a hit's picture, and the rectangles to mark: those of its sentence, or else of its passage. */
export function markOf({ highlights, sentence, page_number }: Hit): PageMark {
  const [first] = sentence?.highlights ?? [];
  if (first) return { ...first, isWash: false };
  const [passage] = highlights;
  return passage ? { ...passage, isWash: true } : { page_number, rects: [], isWash: true };
}

const percent = (share: number) => `${Math.round(share * 10_000) / 100}%`;

/** Where the mark begins: its first line, and what its second line has to the left. */
function beginningOf(rects: readonly Rect[]): CSSProperties {
  const [first, second] = rects;
  if (!first) return {};
  return { "--x": percent(Math.min(first.x, second?.x ?? 1)), "--y": percent(first.y) } as CSSProperties;
}

interface PageCropProps {
  hit: Hit;
  position: number;
  results: SearchUrl;
}

/** The part of the page around a hit, with the passage marked. Its space is reserved while it loads. */
export function PageCrop({ hit, position, results }: PageCropProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  if (hit.page_images === "none") return null;
  if (hit.page_images === "locked") {
    const reason = t("search.thumbnailLocked");
    return (
      <div className={styles.frame} data-state="locked" role="img" aria-label={reason} title={reason}>
        <IconLock size={28} stroke={1.5} aria-hidden />
      </div>
    );
  }
  const { page_number: page, rects, isWash } = markOf(hit);
  const text = t("search.thumbnail", { page, title: hit.title ?? hit.document });
  const url = (pixels: number) => `/api/v1/documents/${hit.document_id}/pages/${page}/image?width=${pixels}`;
  return (
    // The title is the link for the keyboard. The picture is hidden while it loads, and so is its text.
    <TextLink
      {...hitLink(hit, position, results)}
      tabIndex={-1}
      aria-label={text}
      className={styles.frame ?? ""}
      data-state={state}
    >
      <span className={styles.page} style={{ width: PAGE_WIDTH, ...beginningOf(rects) }}>
        <img
          src={url(PAGE_WIDTH)}
          srcSet={`${url(PAGE_WIDTH)}, ${url(PAGE_WIDTH * 2)} 2x`}
          alt={text}
          loading="lazy"
          decoding="async"
          onLoad={() => setState("shown")}
          onError={() => setState("failed")}
        />
        {rects.map(({ x, y, w, h }) => (
          <span
            key={`${x}/${y}`}
            className={styles.mark}
            data-wash={isWash || undefined}
            style={{ left: percent(x), top: percent(y), width: percent(w), height: percent(h) }}
          />
        ))}
      </span>
    </TextLink>
  );
}
