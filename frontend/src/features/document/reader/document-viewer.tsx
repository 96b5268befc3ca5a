import { IconAlignLeft, IconFile } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCanWrite } from "@/features/collections/use-collections";
import type { DocumentUrl } from "@/features/document/document-url";
import { useNoteMarks } from "@/features/document/notes/use-notes";
import { originalUrl } from "@/features/document/panels/document-details";
import { type DocumentRecord, type TextRange, useChunks, useHighlights } from "@/features/document/use-document";
import type { FoundPlace } from "@/features/document/use-finding";
import { isLockedPdf } from "@/features/documents/status/document-status";
import { useDocumentMutations } from "@/features/documents/use-documents";
import { loadPdfViewer } from "@/features/viewer/load-pdf-viewer";
import { PictureViewer } from "@/features/viewer/picture-viewer";
import type { LoadText } from "@/features/viewer/text-layer";
import { Tool } from "@/features/viewer/viewer-frame";
import { $api } from "@/lib/api/client";
import { lazyCode } from "@/lib/load-code";
import { notifyError } from "@/shared/notify";
import { EmptyState, LoadingPage } from "@/shared/states";
import { TextViewer } from "./text-viewer";
import { usePlaceHighlights } from "./use-place-highlights";

const PdfViewer = lazy(async () => ({ default: (await loadPdfViewer()).PdfViewer }));
const PrintedViewer = lazyCode(async () => ({ default: (await import("./printed-viewer")).PrintedViewer }));
/** The types that browsers can show. The API draws the pages of other pictures. */
const BROWSER_PICTURES = ["image/png", "image/jpeg", "image/webp"];
const TIFF = "image/tiff";
const MOST_PIXELS = 2_000;
const NOWHERE: FoundPlace[] = [];
const NO_RANGE = { start: undefined, end: undefined };

interface DocumentViewerProps {
  document: DocumentRecord;
  url: DocumentUrl;
  places?: FoundPlace[];
  onPageInSight?: (pageNumber: number) => void;
  onOpen: (pageNumber: number) => void;
}

/** A document as it is read: the pages of a PDF, the text of anything else, with the passage of the address highlighted. */
export function DocumentViewer({ document, url, places = NOWHERE, onPageInSight, onOpen }: DocumentViewerProps) {
  const { t } = useTranslation();
  const range = useMemo(() => ({ start: url.start, end: url.end }), [url.start, url.end]);
  const found = useHighlights(document.id, range);
  const highlights = usePlaceHighlights(found.data?.highlights, places, range.start);
  const [isTextWanted, setIsTextWanted] = useState(false);
  const [isPrintWanted, setIsPrintWanted] = useState(false);
  const isPrinted = isPrintWanted && document.has_printed_pages;
  const isText = isTextWanted && Boolean(document.page_count);
  const pageNumber = url.page ?? found.data?.highlights[0]?.page_number ?? 1;
  const [inSight, setInSight] = useState(pageNumber);
  const look = (page: number) => {
    setInSight(page);
    onPageInSight?.(page);
  };
  const passage = usePassage(document.id, pageNumber, range);
  const washedRange = places.length > 0 ? NO_RANGE : passage;
  const washed = useHighlights(document.id, washedRange).data;
  const noteMarks = useNoteMarks(document.id, inSight);
  const marks = useMemo(
    () => [...(washed?.highlights ?? []).map((one) => ({ ...one, kind: "wash" as const })), ...noteMarks],
    [washed, noteMarks],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another passage of the same page is opened too
  useEffect(() => setInSight(pageNumber), [pageNumber, url.start]);

  const loadText = useLoadText(document.id);
  const { ingest } = useDocumentMutations();
  const canUnlock = useCanWrite()(document.collection.id) && isLockedPdf(document);
  const unlock = (password: string) =>
    ingest.mutate({ params: { path: { document_id: document.id } }, body: { password } }, { onError: notifyError });

  const isPdf = document.content_type === "application/pdf";
  const hasPictures = isPdf || [...BROWSER_PICTURES, TIFF].includes(document.content_type);
  const original = originalUrl(document.id, { isInline: true });
  const pages = {
    label: document.title ?? document.filename,
    highlights,
    marks,
    loadText,
    downloadUrl: originalUrl(document.id, { isInline: false }),
    tools:
      hasPictures && document.page_count ? (
        <Tool
          name={t("reader.text")}
          icon={IconAlignLeft}
          isPressed={isText}
          onClick={() => setIsTextWanted(!isText)}
        />
      ) : document.has_printed_pages ? (
        <Tool
          name={t("reader.printed")}
          icon={IconFile}
          isPressed={isPrinted}
          onClick={() => setIsPrintWanted(!isPrinted)}
        />
      ) : null,
  };
  if (isPrinted) {
    const { label, downloadUrl, tools } = pages;
    return (
      <Suspense fallback={<LoadingPage />}>
        <PrintedViewer
          {...{ label, downloadUrl, tools, document, range, pageNumber, places }}
          passage={washedRange}
          words={url.find}
        />
      </Suspense>
    );
  }
  if (isPdf && !isText) {
    return (
      <Suspense fallback={<LoadingPage />}>
        <PdfViewer
          {...pages}
          url={original}
          pageNumber={pageNumber}
          pageCount={document.page_count}
          onPageChange={look}
          onUnlock={canUnlock ? unlock : undefined}
          isKnownDamaged={document.error?.code === "corrupt"}
        />
      </Suspense>
    );
  }
  if (hasPictures && !isText) {
    return (
      <PictureViewer
        {...pages}
        pageUrl={(page, pixels) =>
          document.content_type === TIFF
            ? `/api/v1/documents/${document.id}/pages/${page}/image?width=${Math.round(pixels ?? MOST_PIXELS)}`
            : original
        }
        pageNumber={Math.min(inSight, document.page_count ?? 1)}
        pageCount={document.page_count ?? 1}
        onPageChange={look}
      />
    );
  }
  if (document.page_count === null || document.page_count === 0) {
    return (
      <EmptyState title={t("document.noText")}>{document.status === "failed" ? null : t("document.notYet")}</EmptyState>
    );
  }
  return (
    <TextViewer
      downloadUrl={pages.downloadUrl}
      tools={pages.tools}
      documentId={document.id}
      pageNumber={hasPictures ? inSight : pageNumber}
      pageCount={document.page_count}
      range={range}
      places={places}
      passage={passage}
      contentType={document.content_type}
      onPageChange={hasPictures ? look : onOpen}
    />
  );
}

/** Return a function that loads the words of a page. Without them they cannot be selected, and that is all. */
function useLoadText(documentId: string): LoadText {
  const client = useQueryClient();
  return useCallback(
    (pageNumber) => {
      const params = { path: { document_id: documentId, page_number: pageNumber }, query: { words: true } };
      const query = $api.queryOptions("get", "/api/v1/documents/{document_id}/pages/{page_number}", { params });
      return client.fetchQuery({ ...query, staleTime: Number.POSITIVE_INFINITY }).catch(() => null);
    },
    [client, documentId],
  );
}

/** Return the whole passage around a range on a page. */
function usePassage(documentId: string, pageNumber: number, { start, end }: TextRange): TextRange {
  const chunks = useChunks(documentId, pageNumber, { isEnabled: start !== undefined }).data?.items;
  const chunk =
    start === undefined ? undefined : chunks?.find((one) => one.char_start <= start && one.char_end > start);
  const isLarger = chunk && (chunk.char_start < (start ?? 0) || chunk.char_end > (end ?? 0));
  return isLarger ? { start: chunk.char_start, end: chunk.char_end } : NO_RANGE;
}
