import { Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { originalUrl } from "@/features/document/panels/document-details";
import { type DocumentRecord, type TextRange, useHighlights } from "@/features/document/use-document";
import { PdfViewer } from "@/features/viewer/pdf-viewer";
import type { FrameProps } from "@/features/viewer/viewer-frame";
import styles from "./printed-viewer.module.css";

const SLIDES = ["presentationml.presentation", "opendocument.presentation"];

interface PrintedViewerProps extends FrameProps {
  document: DocumentRecord;
  range: TextRange;
  passage: TextRange;
  /** The page of the text. Only slides have the same numbers on paper. */
  pageNumber: number;
  label: string;
}

/** An Office file as it is printed, with the passage of the address where its words are found. */
export function PrintedViewer({ document, range, passage, pageNumber, ...frame }: PrintedViewerProps) {
  const { t } = useTranslation();
  const found = useHighlights(document.id, range, { isPrinted: true });
  const washed = useHighlights(document.id, passage, { isPrinted: true }).data;
  const highlights = useMemo(() => found.data?.highlights ?? [], [found.data]);
  const marks = useMemo(() => (washed?.highlights ?? []).map((one) => ({ ...one, kind: "wash" as const })), [washed]);
  const hasSlides = SLIDES.some((kind) => document.content_type.endsWith(kind));
  return (
    <>
      {found.isSuccess && highlights.length === 0 ? (
        <Text role="status" size="sm" className={styles.notice}>
          {t("reader.notPlaced")}
        </Text>
      ) : null}
      <PdfViewer
        {...frame}
        url={`${originalUrl(document.id, { isInline: true })}&is_printed=true`}
        pageNumber={highlights[0]?.page ?? (hasSlides ? pageNumber : 1)}
        highlights={highlights}
        marks={marks}
        loadText={noText}
      />
    </>
  );
}

/** What LibreOffice prints has its words in it. */
const noText = () => Promise.resolve(null);
