import * as pdfjs from "pdfjs-dist";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { EventBus, PDFLinkService, PDFViewer } from "pdfjs-dist/web/pdf_viewer.mjs";

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;
// starts while the first document is on its way, and reads the others too
const worker = new pdfjs.PDFWorker();

const ASSETS = {
  cMapUrl: "/pdfjs/cmaps/",
  cMapPacked: true,
  standardFontDataUrl: "/pdfjs/standard_fonts/",
  wasmUrl: "/pdfjs/wasm/",
  iccUrl: "/pdfjs/iccs/",
  // A machine without Times or Helvetica would put other letters in their places, squeezed into their widths.
  useSystemFonts: false,
};

export interface OpenedPdf {
  file: pdfjs.PDFDocumentProxy;
  viewer: PDFViewer;
  eventBus: EventBus;
  /** The DIV of each page. */
  pages: HTMLDivElement[];
  pageCount: number;
  destroy: () => void;
}

/** Return true if a PDF needs a password. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && error.name === "PasswordException";
}

/**
 * Show a PDF in `container`, a positioned DIV. In a visible one, `pageNumber` is drawn first and fills the width. The
 * pages have a DIV of their own: where two are opened one upon the other, the one that is destroyed last would take the
 * pages of the other away with its own.
 */
export async function openPdf(
  url: string,
  container: HTMLDivElement,
  { pageNumber, password }: { pageNumber: number; password: string | undefined },
): Promise<OpenedPdf> {
  const task = pdfjs.getDocument({ url, worker, ...ASSETS, ...(password ? { password } : {}) });
  const pdf = await task.promise;
  const dropLatePages = droppingLatePages(pdf);
  const pages = document.createElement("div");
  pages.className = "pdfViewer";
  container.append(pages);
  const eventBus = new EventBus();
  const linkService = new PDFLinkService({ eventBus });
  const viewer = new PDFViewer({ container, viewer: pages, eventBus, linkService, removePageBorders: true });
  linkService.setViewer(viewer);
  // not `firstPagePromise`, after which the pages may still be without a place: what is fitted then is lost
  const laidOut = new Promise<void>((resolve) => {
    const start = () => {
      if (container.clientWidth > 0) {
        viewer.currentPageNumber = Math.min(Math.max(pageNumber, 1), pdf.numPages);
        viewer.currentScaleValue = "page-width";
      }
      resolve();
    };
    eventBus.on("pagesinit", start, { once: true });
  });
  viewer.setDocument(pdf);
  linkService.setDocument(pdf, null);
  await Promise.all([laidOut, viewer.firstPagePromise]);
  return {
    file: pdf,
    viewer,
    eventBus,
    pages: Array.from({ length: pdf.numPages }, (_, index) => viewer.getPageView(index).div),
    pageCount: pdf.numPages,
    destroy: () => {
      dropLatePages();
      viewer.setDocument(null as never);
      linkService.setDocument(null, null);
      pages.remove();
      void task.destroy();
    },
  };
}

/** Return a function that leaves pages out that come later: pdf.js would report them as errors of a closed file. */
function droppingLatePages(pdf: pdfjs.PDFDocumentProxy): () => void {
  let isClosed = false;
  const getPage = pdf.getPage.bind(pdf);
  pdf.getPage = (pageNumber) =>
    new Promise((resolve, reject) => {
      getPage(pageNumber).then(
        (page) => isClosed || resolve(page),
        (reason) => isClosed || reject(reason),
      );
    });
  return () => {
    isClosed = true;
  };
}

/** Draw a page as it would be printed, turned as it is on the screen. */
export async function drawPage(
  { file, viewer }: OpenedPdf,
  pageNumber: number,
  scale: number,
): Promise<HTMLCanvasElement> {
  const page = await file.getPage(pageNumber);
  return render(page, { scale, rotation: turned(page, viewer), intent: "print" });
}

/** Draw a page that fits into a square of so many pixels. */
export async function drawThumbnail(
  { file, viewer }: OpenedPdf,
  pageNumber: number,
  pixels: number,
): Promise<HTMLCanvasElement> {
  const page = await file.getPage(pageNumber);
  const { width, height } = page.getViewport({ scale: 1 });
  return render(page, { scale: pixels / Math.max(width, height), rotation: turned(page, viewer), intent: "display" });
}

const turned = (page: pdfjs.PDFPageProxy, viewer: PDFViewer) => (page.rotate + viewer.pagesRotation) % 360;

async function render(
  page: pdfjs.PDFPageProxy,
  { intent, ...size }: { scale: number; rotation: number; intent: "print" | "display" },
): Promise<HTMLCanvasElement> {
  const viewport = page.getViewport(size);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.floor(viewport.width), Math.floor(viewport.height)];
  await page.render({ canvas, viewport, intent }).promise;
  return canvas;
}
