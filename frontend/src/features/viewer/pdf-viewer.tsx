import "pdfjs-dist/web/pdf_viewer.css";
import "./viewer.css";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { finalTitleOf } from "@/shared/notify";
import { EmptyState, ErrorState, LoadingPage } from "@/shared/states";
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
import { LockedForm } from "./locked-form";
import { drawPage, drawThumbnail, isLocked, type OpenedPdf, openPdf } from "./pdf-engine";
import { asProblem, isDamaged } from "./pdf-problem";
import { printPages } from "./print-pages";
import { type LoadText, writeText } from "./text-layer";
import { type Fit, type FrameProps, ViewerFrame, type ZoomControls } from "./viewer-frame";

interface PdfViewerProps extends FrameProps {
  url: string;
  loadText: LoadText;
  pageNumber: number;
  /** The number of pages that the file is known to have before it is opened. */
  pageCount?: number | null;
  highlights: PageHighlight[];
  /** Painted too, but not gone to. */
  marks?: PageHighlight[];
  label: string;
  onPageChange?: (pageNumber: number) => void;
  /** Process the document with the password that opens it. */
  onUnlock?: ((password: string) => void) | undefined;
  /** The page says already that the file is damaged, and what helps. */
  isKnownDamaged?: boolean;
}

const NO_MARKS: PageHighlight[] = [];

/** A PDF, opened at `pageNumber` with its highlights in sight. */
export function PdfViewer(props: PdfViewerProps) {
  const {
    url,
    loadText,
    pageNumber,
    pageCount,
    highlights,
    marks = NO_MARKS,
    label,
    onPageChange,
    onUnlock,
    isKnownDamaged = false,
    ...frame
  } = props;
  const container = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<OpenedPdf | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [password, setPassword] = useState<string>();
  const [attempt, setAttempt] = useState(1);
  const [isInSight, setIsInSight] = useState(false);
  const [page, setPage] = useState(pageNumber);
  const [size, setSize] = useState<Pick<ZoomControls, "scale" | "fit">>({ scale: 1, fit: "page-width" });
  const reportPage = useEffectEvent((next: number) => {
    setPage(next);
    onPageChange?.(next);
  });
  const reportPassword = useEffectEvent(() => {
    if (!password) return;
    onUnlock?.(password);
    container.current?.focus(); // the form that held the focus is gone
  });
  const writePage = useEffectEvent(async (pdf: OpenedPdf, number: number) => {
    const text = await loadText(number);
    const sheet = pdf.pages[number - 1];
    if (sheet) writeText(sheet, number, text, pdf.viewer.pagesRotation);
  });
  const open = useEffectEvent((element: HTMLDivElement) => openPdf(url, element, { pageNumber, password }));
  const paint = useEffectEvent((pdf: OpenedPdf) => paintAll(pdf, [...marks, ...highlights]));

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens it again
  useEffect(() => {
    let isGone = false;
    let current: OpenedPdf | null = null;
    const element = container.current;
    if (!element) return;
    setError(null);
    open(element)
      .then((pdf) => {
        if (isGone) return pdf.destroy();
        current = pdf;
        pdf.eventBus.on("scalechanging", ({ scale, presetValue }: { scale: number; presetValue?: Fit }) =>
          setSize({ scale, fit: presetValue ?? null }),
        );
        fitPages(pdf, "page-width");
        for (const moment of ["pagerendered", "rotationchanging"]) pdf.eventBus.on(moment, () => paint(pdf));
        // what scrolls is one stop for the keyboard; pdf.js makes one of each page's text too, without a name
        pdf.eventBus.on("textlayerrendered", (event: { source: { div: HTMLElement }; pageNumber: number }) => {
          const layer = event.source.div.querySelector(".textLayer");
          layer?.removeAttribute("tabindex");
          // the picture of a scan has no words of its own
          if (!layer?.textContent?.trim()) void writePage(pdf, event.pageNumber);
        });
        pdf.eventBus.on("pagechanging", (event: { pageNumber: number }) => reportPage(event.pageNumber));
        setOpened(pdf);
        reportPassword();
      })
      .catch((reason: unknown) => {
        if (!isGone) setError(asProblem(reason));
      });
    return () => {
      isGone = true;
      current?.destroy();
      setOpened(null);
    };
  }, [url, password, attempt]);

  const followSize = useEffectEvent(() => {
    setIsInSight((container.current?.clientWidth ?? 0) > 0);
    if (opened && size.fit) fitPages(opened, size.fit);
  });

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const observer = new ResizeObserver(followSize);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (opened && isInSight) show(opened, { pageNumber, highlights });
  }, [opened, isInSight, pageNumber, highlights]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is painted
  useEffect(() => {
    if (opened) paint(opened);
  }, [opened, highlights, marks]);

  const zoom: ZoomControls | null = opened && {
    ...size,
    onStep: (steps) => keepingPlace(opened, () => opened.viewer.updateScale({ steps })),
    onFit: (next) => fitPages(opened, next),
    onRotate: () =>
      keepingPlace(opened, () => {
        opened.viewer.pagesRotation = (opened.viewer.pagesRotation + 90) % 360;
      }),
    onPrint: () => printPages({ pageCount: opened.pageCount, draw: (...drawing) => drawPage(opened, ...drawing) }),
  };
  const thumbnails =
    opened && opened.pageCount > 1
      ? {
          pageCount: opened.pageCount,
          rotation: opened.viewer.pagesRotation,
          highlights,
          draw: (pageNumber: number, pixels: number) => drawThumbnail(opened, pageNumber, pixels),
        }
      : null;
  const go = (target: number) => {
    if (opened) opened.viewer.currentPageNumber = target;
  };
  return (
    <ViewerFrame
      {...frame}
      page={page}
      pageCount={opened?.pageCount ?? pageCount ?? null}
      onPage={go}
      zoom={zoom}
      thumbnails={thumbnails}
    >
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: pdf.js takes a DIV only */}
      <div ref={container} role="region" aria-label={label} className="lectern-viewer-container" tabIndex={0} />
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: see above */}
      {isLocked(error) ? (
        <LockedForm isUnread={onUnlock !== undefined} isWrong={password !== undefined} onSubmit={setPassword} />
      ) : isKnownDamaged && isDamaged(error) ? (
        <EmptyState title={finalTitleOf(error) ?? ""} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => setAttempt(attempt + 1)} />
      ) : null}
      {!opened && !error ? <LoadingPage /> : null}
    </ViewerFrame>
  );
}

/**
 * Make pages as wide or as large as the container. What waits for its code is hidden meanwhile, with all around it:
 * fitted to a width of nothing, the pages would stay invisible for good, because pdf.js finds the next scale from the
 * one before.
 */
function fitPages(opened: OpenedPdf, value: Fit): void {
  if (opened.viewer.container.clientWidth === 0) return;
  keepingPlace(opened, () => {
    opened.viewer.currentScaleValue = value;
  });
}

/** Change the size of pages and restore the reading position. */
function keepingPlace(opened: OpenedPdf, change: () => void): void {
  const { container } = opened.viewer;
  const middle = (container.scrollLeft + container.clientWidth / 2) / container.scrollWidth;
  const place = opened.pages.map((div) => ({ div, share: (container.scrollTop - div.offsetTop) / div.offsetHeight }));
  const current = place.find(({ share }) => share < 1);
  change();
  container.scrollLeft = middle * container.scrollWidth - container.clientWidth / 2;
  if (current) container.scrollTop = current.div.offsetTop + current.div.offsetHeight * current.share;
}

function paintAll({ viewer, pages }: OpenedPdf, highlights: PageHighlight[]): void {
  const rotated = rotateHighlights(highlights, viewer.pagesRotation);
  for (const [index, div] of pages.entries()) {
    if (div.querySelector(".canvasWrapper")) paintHighlights(div, index + 1, rotated);
  }
}

function show(
  opened: OpenedPdf,
  { pageNumber, highlights }: { pageNumber: number; highlights: PageHighlight[] },
): void {
  const { viewer, pages } = opened;
  const page = Math.min(Math.max(pageNumber, 1), opened.pageCount);
  viewer.currentPageNumber = page;
  const start = startOfPassage(page, rotateHighlights(highlights, viewer.pagesRotation));
  const div = pages[page - 1];
  if (!start || !div) return;
  const { container } = viewer;
  const factor = enlargement(div.clientHeight * lineHeight(page, highlights));
  // a scale in numbers ends the fit to the width, also if it is the same
  if (factor > 1) viewer.currentScale *= factor;
  container.scrollTo({
    top: Math.max(0, div.offsetTop + div.clientHeight * start.y - container.clientHeight * CONTEXT_ABOVE),
    left: Math.max(0, div.offsetLeft + div.clientWidth * start.x - NEAR_EDGE_PX),
  });
}
