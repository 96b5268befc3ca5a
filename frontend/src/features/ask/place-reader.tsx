import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { DocumentViewer } from "@/features/document/reader/document-viewer";
import { useDocument } from "@/features/document/use-document";
import { ErrorState, LoadingPage } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import styles from "./ask.module.css";
import type { Place } from "./place";

interface PlaceReaderProps {
  place: Place;
  onOpenPage: (pageNumber: number) => void;
}

/** The page of a citation, with its passage highlighted, beside the answer. */
export function PlaceReader({ place, onOpenPage }: PlaceReaderProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useDocument(place.documentId);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingPage />;
  const { start, end, pageNumber } = place;
  const url = { page: pageNumber, ...(start !== undefined && end !== undefined ? { start, end } : {}) };
  return (
    <Stack gap="xs" data-reader="">
      <TextLink to="/documents/$documentId" params={{ documentId: place.documentId }} search={url} size="sm" fw={600}>
        {t("ask:openDocument", { title: data.title ?? data.filename })}
      </TextLink>
      <div className={styles.reader}>
        <DocumentViewer key={data.id} document={data} url={url} onOpen={onOpenPage} />
      </div>
    </Stack>
  );
}
