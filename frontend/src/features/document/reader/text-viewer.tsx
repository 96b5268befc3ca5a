import { Box, Paper } from "@mantine/core";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type Note, useNotes } from "@/features/document/notes/use-notes";
import { type TextRange, useOutline, usePageText } from "@/features/document/use-document";
import type { FoundPlace } from "@/features/document/use-finding";
import { type FrameProps, ViewerFrame } from "@/features/viewer/viewer-frame";
import { ErrorState, LoadingPage } from "@/shared/states";
import type { Range } from "./text-nodes";
import { type MarkedRange, OriginalUrl, TextPage } from "./text-page";
import styles from "./text-page.module.css";

const PRESENTATIONS = /presentation/;
const MESSAGES = ["message/rfc822", "application/mbox", "application/vnd.ms-outlook"];

interface Marks {
  range: TextRange;
  /** The whole passage around the range, to be washed. */
  passage: TextRange;
  /** Other places to mark, more faintly. */
  places: FoundPlace[];
  notes: Note[];
}

interface TextViewerProps extends FrameProps, Omit<Marks, "notes"> {
  documentId: string;
  pageNumber: number;
  pageCount: number;
  contentType: string;
  onPageChange: (pageNumber: number) => void;
}

/** A document without a picture of its pages: its text, with the passage marked. */
export function TextViewer(props: TextViewerProps) {
  const { documentId, pageNumber, pageCount, range, passage, places, contentType, onPageChange, ...frame } = props;
  const { t } = useTranslation();
  const isSlide = PRESENTATIONS.test(contentType);
  const page = useRef<HTMLDivElement>(null);
  const { data, error, refetch } = usePageText(documentId, pageNumber, { isEnabled: true });
  const outline = useOutline(documentId).data;
  const headings = useMemo(
    () => new Map(outline?.items.filter((one) => one.page_number === pageNumber).map((one) => [one.title, one.level])),
    [outline, pageNumber],
  );
  const offset = data?.char_start ?? 0;
  const notes = useNotes(documentId);
  const ranges = useMemo(
    () => toRanges({ range, places, passage, notes }, offset),
    [range, places, passage, notes, offset],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll when another passage or page is shown
  useEffect(() => {
    const { scrollX, scrollY } = window;
    page.current?.querySelector("mark[data-current]")?.scrollIntoView({ block: "center" });
    window.scrollTo(scrollX, scrollY); // only the viewer scrolls, not the page around it
  }, [data, range.start]);
  return (
    <ViewerFrame {...frame} page={pageNumber} pageCount={pageCount} onPage={onPageChange} zoom={null}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <Paper
          component="section"
          aria-label={t("search.page", { page: pageNumber })}
          withBorder={!isSlide}
          h="100%"
          style={{ overflow: "auto" }}
          tabIndex={0}
          className={isSlide ? (styles.slides ?? "") : ""}
        >
          <Box
            ref={page}
            lang={data.language ?? ""}
            data-page-number={pageNumber}
            {...(isSlide
              ? { className: styles.slide ?? "" }
              : {
                  p: { base: "md", sm: "xl" },
                  maw: data.kind === "table" ? "none" : "72ch",
                  mx: "auto",
                  fz: data.kind === "table" ? "md" : "lg",
                  lh: 1.65,
                  ff: data.kind === "table" ? "text" : "var(--lectern-font-serif)",
                })}
          >
            <OriginalUrl value={frame.downloadUrl}>
              <TextPage
                text={data.text}
                isMarkdown={contentType === "text/markdown"}
                isMail={MESSAGES.includes(contentType)}
                headings={headings}
                ranges={ranges}
              />
            </OriginalUrl>
          </Box>
        </Paper>
      ) : null}
      {!data && !error ? <LoadingPage /> : null}
    </ViewerFrame>
  );
}

function toRanges({ range, places, passage, notes }: Marks, offset: number): MarkedRange[] {
  const { start, end } = range;
  const hasCurrent = start !== undefined && end !== undefined && end > start;
  const others = places.filter((place) => !hasCurrent || place.char_end <= start || place.char_start >= end);
  const washed =
    hasCurrent && others.length === 0 && passage.start !== undefined && passage.end !== undefined
      ? [
          { start: passage.start, end: start },
          { start: end, end: passage.end },
        ]
      : [];
  const ofKind = (kind: MarkedRange["kind"]) => (one: Range) => ({
    start: one.start - offset,
    end: one.end - offset,
    kind,
  });
  const toRange = ({ char_start, char_end }: { char_start: number; char_end: number }) => ({
    start: char_start,
    end: char_end,
  });
  return [
    ...others.map(toRange).map(ofKind("place")),
    ...washed.map(ofKind("wash")),
    ...(hasCurrent ? [{ start, end }] : []).map(ofKind("current")),
    ...notes
      .filter((note) => !note.is_outdated)
      .map(toRange)
      .map(ofKind("note")),
  ].filter((one) => one.end > one.start);
}
