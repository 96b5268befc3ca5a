import { Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { originalUrl } from "@/features/document/document-details";
import { DocumentHeader } from "@/features/document/document-header";
import type { DocumentUrl } from "@/features/document/document-url";
import { SidePanels } from "@/features/document/side-panels";
import { type DocumentRecord, useDocument, useHighlights } from "@/features/document/use-document";
import { useFindKey } from "@/features/document/use-find-key";
import { type FoundPlace, useFinding } from "@/features/document/use-finding";
import { EmptyState, ErrorState, LoadingPage } from "@/shared/states";
import classes from "./document-page.module.css";

const PdfViewer = lazy(async () => ({ default: (await import("@/features/viewer/pdf-viewer")).PdfViewer }));
const TextViewer = lazy(async () => ({
  default: (await import("@/features/document/text-viewer")).TextViewer,
}));
const route = getRouteApi("/documents/$documentId");
const NOWHERE: FoundPlace[] = [];

export function DocumentPage() {
  const { documentId } = route.useParams();
  const { data, error, refetch } = useDocument(documentId);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingPage />;
  return <Reader key={data.id} document={data} />;
}

function Reader({ document }: { document: DocumentRecord }) {
  const url = route.useSearch();
  const navigate = route.useNavigate();
  const [pageInSight, setPageInSight] = useState(url.page ?? 1);
  const change = (values: { [K in keyof DocumentUrl]?: DocumentUrl[K] | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...values }) as DocumentUrl, replace: true });
  const open = (page: number) => change({ page, start: undefined, end: undefined });
  useFindKey(() => change({ panel: "find" }));
  const finding = useFinding(document.id, url.panel === "find" ? url.find : undefined);
  return (
    <Stack gap="sm">
      <DocumentHeader document={document} />
      <div className={classes.columns}>
        <div className={classes.viewer}>
          <Viewer
            document={document}
            url={url}
            places={url.panel === "find" && finding.places.length > 0 ? finding.places : NOWHERE}
            onPageInSight={setPageInSight}
            onOpen={(page) => {
              setPageInSight(page);
              open(page);
            }}
          />
        </div>
        <SidePanels
          document={document}
          url={url}
          pageInSight={pageInSight}
          finding={finding}
          className={classes.panel}
          onChange={change}
          onOpen={open}
        />
      </div>
    </Stack>
  );
}

interface ViewerProps {
  document: DocumentRecord;
  url: DocumentUrl;
  places: FoundPlace[];
  onPageInSight: (pageNumber: number) => void;
  onOpen: (pageNumber: number) => void;
}

function Viewer({ document, url, places, onPageInSight, onOpen }: ViewerProps) {
  const { t } = useTranslation();
  const range = useMemo(() => ({ start: url.start, end: url.end }), [url.start, url.end]);
  const found = useHighlights(document.id, range);
  const firstPlace = places.length > 0 ? placesKey(places) : "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says whether the places are others
  const highlights = useMemo(
    () => [
      ...(found.data?.highlights ?? []),
      ...places
        .filter((place) => place.char_start !== range.start)
        .flatMap((place) => place.highlights.map((highlight) => ({ ...highlight, isFaint: true }))),
    ],
    [found.data, firstPlace, range.start],
  );
  const pageNumber = url.page ?? 1;
  if (document.content_type === "application/pdf") {
    return (
      <Suspense fallback={<LoadingPage />}>
        <PdfViewer
          url={originalUrl(document.id, { isInline: true })}
          pageNumber={pageNumber}
          highlights={highlights}
          label={document.title ?? document.filename}
          onPageChange={onPageInSight}
        />
      </Suspense>
    );
  }
  if (document.page_count === null || document.page_count === 0) {
    return (
      <EmptyState title={t("document.noText")}>
        {document.status === "failed" ? null : t("document.notYet")}
      </EmptyState>
    );
  }
  return (
    <Suspense fallback={<LoadingPage />}>
      <TextViewer
        documentId={document.id}
        pageNumber={pageNumber}
        pageCount={document.page_count}
        range={range}
        places={places}
        isMarkdown={document.content_type === "text/markdown"}
        onPageChange={onOpen}
      />
    </Suspense>
  );
}

const placesKey = (places: FoundPlace[]) =>
  `${places.length}:${places[0]?.char_start}-${places[0]?.char_end}:${places.at(-1)?.char_end}`;
