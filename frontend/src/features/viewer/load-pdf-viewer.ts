import { loadCode } from "@/lib/load-code";

/** Load the code that shows PDFs. */
export const loadPdfViewer = () => loadCode(() => import("./pdf-viewer"));
