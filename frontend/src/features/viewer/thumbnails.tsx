import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { createStore } from "@/lib/create-store";
import { type PageHighlight, paintHighlights, rotateHighlights } from "./highlights";
import styles from "./thumbnails.module.css";

export interface Thumbnails {
  pageCount: number;
  rotation: number;
  highlights: PageHighlight[];
  /** Draw a page that fits into a square of so many pixels. */
  draw: (pageNumber: number, pixels: number) => Promise<HTMLCanvasElement>;
}

interface ThumbnailsRailProps {
  thumbnails: Thumbnails;
  page: number;
  onPage: (pageNumber: number) => void;
}

const STORAGE_KEY = "lectern-thumbnails";
/** On wider screens the rail leaves enough room for the page. */
const WIDE_PX = 1680;
/** Height of a thumbnail with its number, as in the style sheet. */
const SLOT_PX = 154;
const PICTURE_PX = 128;
/** Thumbnails that are drawn above and below those in sight. */
const MARGIN = 3;
const KEYS: Record<string, (page: number, pageCount: number) => number> = {
  ArrowDown: (page) => page + 1,
  ArrowUp: (page) => page - 1,
  Home: () => 1,
  End: (_, pageCount) => pageCount,
};

const stored = localStorage.getItem(STORAGE_KEY);
/** Whether this browser shows thumbnails beside the page. */
export const isRailOpen = createStore(stored ? stored === "on" : window.innerWidth >= WIDE_PX);

export function toggleRail(): void {
  isRailOpen.set(!isRailOpen.get());
  localStorage.setItem(STORAGE_KEY, isRailOpen.get() ? "on" : "off");
}

/** Small pictures of all pages. Only those near the visible part exist. One stop for the keyboard: arrows change the page. */
export function ThumbnailsRail({ thumbnails, page, onPage }: ThumbnailsRailProps) {
  const { t } = useTranslation();
  const { pageCount, rotation } = thumbnails;
  const rail = useRef<HTMLElement>(null);
  const isFocusMoving = useRef(false);
  const [sight, setSight] = useState({ top: (page - 1) * SLOT_PX, height: 0 });
  const first = Math.max(1, Math.floor(sight.top / SLOT_PX) + 1 - MARGIN);
  const last = Math.min(pageCount, Math.ceil((sight.top + sight.height) / SLOT_PX) + MARGIN);
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);

  useEffect(() => {
    const element = rail.current;
    if (!element) return;
    const measure = () => setSight({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);

  useEffect(() => {
    const element = rail.current;
    if (!element) return;
    const top = (page - 1) * SLOT_PX;
    const bottom = top + SLOT_PX;
    const height = element.clientHeight;
    if (top < element.scrollTop || bottom > element.scrollTop + height) {
      element.scrollTop = top - (height - SLOT_PX) / 2;
    }
  }, [page]);

  function go(event: KeyboardEvent) {
    const target = KEYS[event.key]?.(page, pageCount);
    if (target === undefined || target < 1 || target > pageCount) return;
    event.preventDefault();
    isFocusMoving.current = true;
    onPage(target);
  }

  return (
    <nav ref={rail} className={styles.rail} aria-label={t("reader.thumbnails")} onKeyDown={go}>
      <div className={styles.track} style={{ height: pageCount * SLOT_PX }}>
        {shown.map((number) => (
          <Thumbnail
            key={`${number}/${rotation}`}
            number={number}
            isCurrent={number === page}
            thumbnails={thumbnails}
            isFocusMoving={isFocusMoving}
            onClick={() => onPage(number)}
          />
        ))}
      </div>
    </nav>
  );
}

interface ThumbnailProps {
  number: number;
  isCurrent: boolean;
  thumbnails: Thumbnails;
  /** True until the thumbnail of the next page takes the focus. */
  isFocusMoving: RefObject<boolean>;
  onClick: () => void;
}

function Thumbnail({ number, isCurrent, thumbnails, isFocusMoving, onClick }: ThumbnailProps) {
  const { t } = useTranslation();
  const { draw, highlights, rotation } = thumbnails;
  const button = useRef<HTMLButtonElement>(null);
  const picture = useRef<HTMLSpanElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page is drawn once
  useEffect(() => {
    let isGone = false;
    void draw(number, PICTURE_PX * window.devicePixelRatio)
      .then((canvas) => {
        if (isGone) return;
        const scale = PICTURE_PX / Math.max(canvas.width, canvas.height);
        canvas.style.width = `${canvas.width * scale}px`;
        canvas.style.height = `${canvas.height * scale}px`;
        picture.current?.replaceChildren(canvas);
        if (picture.current) paintHighlights(picture.current, number, rotateHighlights(highlights, rotation));
      })
      .catch(() => undefined); // the page itself says why it cannot be drawn
    return () => {
      isGone = true;
    };
  }, []);

  useEffect(() => {
    if (picture.current?.firstChild) {
      paintHighlights(picture.current, number, rotateHighlights(highlights, rotation));
    }
  }, [number, highlights, rotation]);

  useEffect(() => {
    if (!isCurrent || !isFocusMoving.current) return;
    isFocusMoving.current = false;
    button.current?.focus({ preventScroll: true });
  }, [isCurrent, isFocusMoving]);

  return (
    <button
      ref={button}
      type="button"
      className={styles.thumbnail}
      style={{ top: (number - 1) * SLOT_PX }}
      aria-label={t("search.page", { page: number })}
      aria-current={isCurrent ? "page" : undefined}
      tabIndex={isCurrent ? 0 : -1}
      onClick={onClick}
    >
      <span className={styles.picture}>
        <span ref={picture} className={styles.sheet} />
      </span>
      <span className={styles.number}>{number}</span>
    </button>
  );
}
