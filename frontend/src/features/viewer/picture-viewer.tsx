import "./viewer.css";
import { useElementSize } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "@/shared/states";
import { type PageHighlight, paintHighlights, rotateHighlights, startOfPassage } from "./highlights";
import styles from "./picture-viewer.module.css";
import { printPages } from "./print-pages";
import { type Fit, type FrameProps, ViewerFrame, type ZoomControls } from "./viewer-frame";

/** The types that browsers can show. */
export const PICTURE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/webp"];

const STEP = 1.25;
const CONTEXT_ABOVE = 0.12;

interface PictureViewerProps extends FrameProps {
  url: string;
  highlights: PageHighlight[];
  /** Painted too, but not gone to. */
  marks: PageHighlight[];
  label: string;
}

/** A picture with its highlights, as a page of a scan. */
export function PictureViewer({ url, highlights, marks, label, ...frame }: PictureViewerProps) {
  const { t } = useTranslation();
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const picture = useRef<HTMLImageElement>(null);
  const page = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"loading" | "shown" | "broken">("loading");
  const [size, setSize] = useState<Fit | number>("page-width");
  const [rotation, setRotation] = useState(0);

  const { naturalWidth = 1, naturalHeight = 1 } = (state === "shown" && picture.current) || {};
  const isOnSide = rotation % 180 !== 0;
  const [pageWidth, pageHeight] = isOnSide ? [naturalHeight, naturalWidth] : [naturalWidth, naturalHeight];
  const widthScale = width / pageWidth;
  const fits = { "page-width": widthScale, "page-fit": Math.min(widthScale, height / pageHeight) };
  const scale = typeof size === "number" ? size : fits[size];

  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is there once the picture is shown
  useEffect(() => {
    if (page.current) paintHighlights(page.current, 1, rotateHighlights([...marks, ...highlights], rotation));
  }, [highlights, marks, rotation, state]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: later changes of the size keep what is in sight
  useEffect(() => {
    const start = startOfPassage(1, rotateHighlights(highlights, rotation));
    const stage = page.current?.parentElement;
    if (!start || !stage || !page.current) return;
    stage.scrollTo({ top: page.current.clientHeight * start.y - stage.clientHeight * CONTEXT_ABOVE });
  }, [highlights, state, width > 0]);

  async function draw(): Promise<HTMLCanvasElement> {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    [canvas.width, canvas.height] = [pageWidth, pageHeight];
    context?.translate(pageWidth / 2, pageHeight / 2);
    context?.rotate((rotation * Math.PI) / 180);
    if (picture.current) context?.drawImage(picture.current, -naturalWidth / 2, -naturalHeight / 2);
    return canvas;
  }

  const zoom: ZoomControls | null =
    state === "shown"
      ? {
          scale,
          fit: typeof size === "number" ? null : size,
          onStep: (step) => setSize(Math.min(Math.max(scale * STEP ** step, 0.05), 10)),
          onFit: setSize,
          onRotate: () => setRotation((rotation + 90) % 360),
          onPrint: () => printPages({ pageCount: 1, draw }),
        }
      : null;
  return (
    <ViewerFrame {...frame} page={1} pageCount={1} onPage={() => undefined} zoom={zoom}>
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
              ref={picture}
              src={url}
              alt={label}
              className={styles.picture}
              style={{
                width: naturalWidth * scale,
                height: naturalHeight * scale,
                transform: `translate(-50%, -50%) rotate(${rotation}deg)`,
              }}
              onLoad={() => setState("shown")}
              onError={() => setState("broken")}
            />
          </div>
        )}
      </section>
    </ViewerFrame>
  );
}
