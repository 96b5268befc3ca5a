import * as pdfjs from "pdfjs-dist";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { EventBus, PDFLinkService, PDFViewer } from "pdfjs-dist/web/pdf_viewer.mjs";

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

const ASSETS = {
  cMapUrl: "/pdfjs/cmaps/",
  cMapPacked: true,
  standardFontDataUrl: "/pdfjs/standard_fonts/",
  wasmUrl: "/pdfjs/wasm/",
  iccUrl: "/pdfjs/iccs/",
};

export interface OpenedPdf {
  viewer: PDFViewer;
  eventBus: EventBus;
  pageCount: number;
  destroy: () => void;
}

/** Whether a PDF could not be opened for want of its password. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && error.name === "PasswordException";
}

/** Show a PDF in `container` (a positioned DIV with one DIV inside, as pdf.js demands). */
export async function openPdf(
  url: string,
  container: HTMLDivElement,
  { password }: { password?: string | undefined } = {},
): Promise<OpenedPdf> {
  const eventBus = new EventBus();
  const linkService = new PDFLinkService({ eventBus });
  const viewer = new PDFViewer({ container, eventBus, linkService, removePageBorders: true });
  linkService.setViewer(viewer);
  const task = pdfjs.getDocument({ url, ...ASSETS, ...(password ? { password } : {}) });
  const pdf = await task.promise;
  // not `firstPagePromise`, after which the pages may still be without a place: what is fitted then is lost
  const laidOut = new Promise((resolve) => eventBus.on("pagesinit", resolve, { once: true }));
  viewer.setDocument(pdf);
  linkService.setDocument(pdf, null);
  await Promise.all([laidOut, viewer.firstPagePromise]);
  return {
    viewer,
    eventBus,
    pageCount: pdf.numPages,
    destroy: () => {
      viewer.setDocument(null as never);
      linkService.setDocument(null, null);
      void task.destroy();
    },
  };
}
