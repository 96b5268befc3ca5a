import { Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useNoteMarks } from "@/features/document/notes/use-notes";
import { originalUrl } from "@/features/document/panels/document-details";
import { type DocumentRecord, type TextRange, useHighlights } from "@/features/document/use-document";
import { type FoundPlace, usePrintedPlaces } from "@/features/document/use-finding";
import { PdfViewer } from "@/features/viewer/pdf-viewer";
import type { FrameProps } from "@/features/viewer/viewer-frame";
import styles from "./printed-viewer.module.css";
import { usePlaceHighlights } from "./use-place-highlights";

const SLIDES = ["presentationml.presentation", "opendocument.presentation"];

interface PrintedViewerProps extends FrameProps {
  document: DocumentRecord;
  range: TextRange;
  passage: TextRange;
  /** The page of the text. Only slides have the same numbers on paper. */
  pageNumber: number;
  label: string;
  /** Words to find, and the places in the text that have them. */
  words: string | undefined;
  places: FoundPlace[];
}

/** An Office file as it is printed. Passage, notes and found words are marked where the same words are printed. */
export function PrintedViewer(props: PrintedViewerProps) {
  const { document, range, passage, pageNumber, words, places, ...frame } = props;
  const { t } = useTranslation();
  const found = useHighlights(document.id, range, { isPrinted: true });
  const washed = useHighlights(document.id, passage, { isPrinted: true }).data;
  const printedPlaces = usePrintedPlaces(document.id, words, places.length);
  const highlights = usePlaceHighlights(found.data?.highlights, printedPlaces, range.start);
  const noteMarks = useNoteMarks(document.id, "printed");
  const marks = useMemo(
    () => [...(washed?.highlights ?? []).map((one) => ({ ...one, kind: "wash" as const })), ...noteMarks],
    [washed, noteMarks],
  );
  const passagePage = found.data?.highlights[0]?.page_number;
  const hasSlides = SLIDES.some((kind) => document.content_type.endsWith(kind));
  return (
    <>
      {found.isSuccess && passagePage === undefined ? (
        <Text role="status" size="sm" className={styles.notice}>
          {t("reader.notPlaced")}
        </Text>
      ) : null}
      <PdfViewer
        {...frame}
        url={`${originalUrl(document.id, { isInline: true })}&is_printed=true`}
        pageNumber={passagePage ?? (hasSlides ? pageNumber : 1)}
        highlights={highlights}
        marks={marks}
        loadText={noText}
      />
    </>
  );
}

/** What LibreOffice prints has its words in it. */
const noText = () => Promise.resolve(null);
