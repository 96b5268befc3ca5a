import "pdfjs-dist/web/pdf_viewer.css";
import "./pdf-viewer.css";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { ErrorState, LoadingPage } from "@/shared/states";
import { type PageHighlight, paintHighlights, topOfHighlight } from "./highlights";
import { LockedForm } from "./locked-form";
import { isLocked, type OpenedPdf, openPdf } from "./pdf-engine";
import { asProblem } from "./pdf-problem";

interface PdfViewerProps {
  url: string;
  pageNumber: number;
  highlights: PageHighlight[];
  label: string;
  onPageChange?: (pageNumber: number) => void;
}

const CONTEXT_ABOVE = 0.12;

/** A PDF, opened at `pageNumber` with its highlights in sight. */
export function PdfViewer({ url, pageNumber, highlights, label, onPageChange }: PdfViewerProps) {
  const container = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<OpenedPdf | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [password, setPassword] = useState<string>();
  const [attempt, setAttempt] = useState(1);
  const [isInSight, setIsInSight] = useState(false);
  const reportPage = useEffectEvent((page: number) => onPageChange?.(page));
  const paint = useEffectEvent((element: HTMLElement, page: number) => paintHighlights(element, page, highlights));

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens it again
  useEffect(() => {
    let isGone = false;
    let current: OpenedPdf | null = null;
    const element = container.current;
    if (!element) return;
    setError(null);
    openPdf(url, element, { password })
      .then((pdf) => {
        if (isGone) return pdf.destroy();
        current = pdf;
        fitWidth(pdf);
        pdf.eventBus.on("pagerendered", (event: { source: { div: HTMLElement }; pageNumber: number }) =>
          paint(event.source.div, event.pageNumber),
        );
        // what scrolls is one stop for the keyboard; pdf.js makes one of each page's text too, without a name
        pdf.eventBus.on("textlayerrendered", (event: { source: { div: HTMLElement } }) =>
          event.source.div.querySelector(".textLayer")?.removeAttribute("tabindex"),
        );
        pdf.eventBus.on("pagechanging", (event: { pageNumber: number }) => reportPage(event.pageNumber));
        setOpened(pdf);
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
    if (opened) fitWidth(opened);
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

  return (
    <div className="lectern-viewer">
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: pdf.js takes a DIV only */}
      <div ref={container} role="region" aria-label={label} className="lectern-viewer-container" tabIndex={0} />
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: see above */}
      {isLocked(error) ? (
        <LockedForm isWrong={password !== undefined} onSubmit={setPassword} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => setAttempt(attempt + 1)} />
      ) : null}
      {!opened && !error ? <LoadingPage /> : null}
    </div>
  );
}

/**
 * Make pages as wide as the container. What waits for its code is hidden meanwhile, with all around it: fitted to a width
 * of nothing, the pages would stay invisible for good, because pdf.js finds the next scale from the one before.
 */
function fitWidth(opened: OpenedPdf): void {
  const { viewer } = opened;
  if (viewer.container.clientWidth === 0) return;
  const keep = keepPlace(opened);
  viewer.currentScaleValue = "page-width";
  keep();
}

/** Return a function that restores the reading position after pages have changed their size. */
function keepPlace({ viewer, pageCount }: OpenedPdf): () => void {
  const { container } = viewer;
  for (let index = 0; index < pageCount; index += 1) {
    const { div } = viewer.getPageView(index) as { div: HTMLElement };
    const share = (container.scrollTop - div.offsetTop) / div.offsetHeight;
    if (share < 1) {
      return () => container.scrollTo({ top: div.offsetTop + div.offsetHeight * share });
    }
  }
  return () => undefined;
}

function show(
  opened: OpenedPdf,
  { pageNumber, highlights }: { pageNumber: number; highlights: PageHighlight[] },
): void {
  const page = Math.min(Math.max(pageNumber, 1), opened.pageCount);
  for (let index = 0; index < opened.pageCount; index += 1) {
    const view = opened.viewer.getPageView(index) as { div?: HTMLElement; renderingState?: number } | undefined;
    if (view?.div?.querySelector(".canvasWrapper")) paintHighlights(view.div, index + 1, highlights);
  }
  opened.viewer.currentPageNumber = page;
  const top = topOfHighlight(page, highlights);
  const view = opened.viewer.getPageView(page - 1) as { div?: HTMLElement } | undefined;
  const container = opened.viewer.container;
  if (top !== null && view?.div) {
    const target = view.div.offsetTop + view.div.clientHeight * top - container.clientHeight * CONTEXT_ABOVE;
    container.scrollTo({ top: Math.max(0, target) });
  }
}
