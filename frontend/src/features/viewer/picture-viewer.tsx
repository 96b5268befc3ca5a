import "./viewer.css";
import { useElementSize } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "@/shared/states";
import {
  CONTEXT_ABOVE,
  enlargement,
  lineHeight,
  NEAR_EDGE_PX,
  type PageHighlight,
  paintHighlights,
  rotateHighlights,
  startOfPassage,
} from "./highlights";
import styles from "./picture-viewer.module.css";
import { printPages } from "./print-pages";
import { type LoadText, writeText } from "./text-layer";
import { type Fit, type FrameProps, ViewerFrame, type ZoomControls } from "./viewer-frame";

const STEP = 1.25;
/** The API draws no smaller pictures. */
const LEAST_PIXELS = 80;

interface PictureViewerProps extends FrameProps {
  loadText: LoadText;
  /** Return the address of the picture of a page, in pixels of width or as large as it is. */
  pageUrl: (pageNumber: number, pixels?: number) => string;
  pageNumber: number;
  pageCount: number;
  onPageChange: (pageNumber: number) => void;
  highlights: PageHighlight[];
  /** Painted too, but not gone to. */
  marks: PageHighlight[];
  label: string;
}

/** Pictures with their highlights, one page at a time, as those of a scan. */
export function PictureViewer(props: PictureViewerProps) {
  const { loadText, pageUrl, pageNumber, pageCount, onPageChange, highlights, marks, label, ...frame } = props;
  const { t } = useTranslation();
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const picture = useRef<HTMLImageElement>(null);
  const page = useRef<HTMLDivElement>(null);
  const url = pageUrl(pageNumber);
  const [loaded, setLoaded] = useState<{ url: string; state: "shown" | "broken" }>();
  const state = loaded?.url === url ? loaded.state : "loading";
  const [size, setSize] = useState<Fit | number>();
  const [rotation, setRotation] = useState(0);

  const { naturalWidth = 1, naturalHeight = 1 } = (state === "shown" && picture.current) || {};
  const isOnSide = rotation % 180 !== 0;
  const [pageWidth, pageHeight] = isOnSide ? [naturalHeight, naturalWidth] : [naturalWidth, naturalHeight];
  const widthScale = width / pageWidth;
  const fits = { "page-width": widthScale, "page-fit": Math.min(widthScale, height / pageHeight) };
  const opened = widthScale * enlargement(pageHeight * widthScale * lineHeight(pageNumber, highlights));
  const scale = size === undefined ? opened : typeof size === "number" ? size : fits[size];

  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is there once the picture is shown
  useEffect(() => {
    if (page.current) paintHighlights(page.current, pageNumber, rotateHighlights([...marks, ...highlights], rotation));
  }, [highlights, marks, rotation, state, pageNumber]);

  useEffect(() => {
    let isGone = false;
    if (state === "shown" && scale > 0)
      void loadText(pageNumber).then((text) => {
        if (page.current && !isGone) writeText(page.current, pageNumber, text, rotation);
      });
    return () => {
      isGone = true;
    };
  }, [loadText, pageNumber, state, scale, rotation]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: later changes of the size keep what is in sight
  useEffect(() => {
    const start = startOfPassage(pageNumber, rotateHighlights(highlights, rotation));
    const stage = page.current?.parentElement;
    if (!stage || !page.current) return;
    const { x, y } = start ?? { x: 0, y: 0 };
    stage.scrollTo({
      top: page.current.clientHeight * y - stage.clientHeight * CONTEXT_ABOVE,
      left: page.current.clientWidth * x - NEAR_EDGE_PX,
    });
  }, [highlights, state, pageNumber, width > 0]);

  const draw = (number: number, pixels?: number) => drawTurned(pageUrl(number, pixels), rotation);
  const thumbnails =
    pageCount > 1
      ? {
          pageCount,
          rotation,
          highlights,
          draw: (number: number, pixels: number) => draw(number, Math.max(pixels, LEAST_PIXELS)),
        }
      : null;

  const zoom: ZoomControls | null =
    state === "shown"
      ? {
          scale,
          fit: typeof size === "number" ? null : (size ?? "page-width"),
          onStep: (step) => setSize(Math.min(Math.max(scale * STEP ** step, 0.05), 10)),
          onFit: setSize,
          onRotate: () => setRotation((rotation + 90) % 360),
          onPrint: () => printPages({ pageCount, draw: (number) => draw(number) }),
        }
      : null;
  return (
    <ViewerFrame
      {...frame}
      page={pageNumber}
      pageCount={pageCount}
      onPage={onPageChange}
      zoom={zoom}
      thumbnails={thumbnails}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section ref={ref} className={styles.stage} aria-label={label} tabIndex={0}>
        {state === "broken" ? (
          <EmptyState title={t("reader.pictureBroken")}>{t("reader.pictureBrokenText")}</EmptyState>
        ) : (
          <div
            ref={page}
            className={styles.page}
            style={{ width: pageWidth * scale, height: pageHeight * scale, visibility: zoom ? "visible" : "hidden" }}
          >
            <img
              key={url}
              ref={picture}
              src={url}
              alt={pageCount > 1 ? t("search.thumbnail", { page: pageNumber, title: label }) : label}
              className={styles.picture}
              style={{
                width: naturalWidth * scale,
                height: naturalHeight * scale,
                transform: `translate(-50%, -50%) rotate(${rotation}deg)`,
              }}
              onLoad={() => setLoaded({ url, state: "shown" })}
              onError={() => setLoaded({ url, state: "broken" })}
            />
          </div>
        )}
      </section>
    </ViewerFrame>
  );
}

/** Draw a picture, rotated. */
async function drawTurned(url: string, rotation: number): Promise<HTMLCanvasElement> {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  const { naturalWidth, naturalHeight } = picture;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  [canvas.width, canvas.height] = rotation % 180 ? [naturalHeight, naturalWidth] : [naturalWidth, naturalHeight];
  context?.translate(canvas.width / 2, canvas.height / 2);
  context?.rotate((rotation * Math.PI) / 180);
  context?.drawImage(picture, -naturalWidth / 2, -naturalHeight / 2);
  return canvas;
}
