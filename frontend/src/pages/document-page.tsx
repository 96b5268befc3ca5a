import { Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { DocumentHeader } from "@/features/document/document-header";
import { type DocumentUrl, withinPages } from "@/features/document/document-url";
import { SelectionMenu } from "@/features/document/notes/selection-menu";
import { SidePanels } from "@/features/document/panels/side-panels";
import { DocumentViewer } from "@/features/document/reader/document-viewer";
import { type DocumentRecord, useDocument, useFreshParts } from "@/features/document/use-document";
import { type FoundPlace, useFinding, useFindKey } from "@/features/document/use-finding";
import { ApiProblem } from "@/lib/api/problem";
import type { Changes } from "@/lib/search-params";
import { usePageTitle } from "@/shared/page-title";
import { ErrorState, LoadingPage } from "@/shared/states";
import classes from "./document-page.module.css";
import { NotFoundPage } from "./not-found-page";

const route = getRouteApi("/documents/$documentId");
const NOWHERE: FoundPlace[] = [];

export function DocumentPage() {
  const { documentId } = route.useParams();
  const { data, error, refetch } = useDocument(documentId);
  useFreshParts(data);
  // an address that nobody could have is refused as invalid
  if (error instanceof ApiProblem && [404, 422].includes(error.status)) return <NotFoundPage />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingPage />;
  return <Reader key={`${data.id}/${data.version}`} document={data} />;
}

function Reader({ document }: { document: DocumentRecord }) {
  const url = withinPages(route.useSearch(), document.page_count);
  usePageTitle(document.title ?? document.filename);
  const navigate = route.useNavigate();
  const [pageInSight, setPageInSight] = useState(url.page ?? 1);
  const change = (values: Changes<DocumentUrl>) =>
    void navigate({ search: (old) => ({ ...old, ...values }) as DocumentUrl, replace: true });
  const open = (page: number) => change({ page, start: undefined, end: undefined });
  useFindKey();
  const finding = useFinding(document.id, url.find);
  return (
    <Stack gap="sm">
      <DocumentHeader document={document} url={url} />
      <div className={classes.columns}>
        <SelectionMenu document={document} onChange={change} className={classes.viewer}>
          <DocumentViewer
            document={document}
            url={url}
            places={finding.places.length > 0 ? finding.places : NOWHERE}
            onPageInSight={setPageInSight}
            onOpen={(page) => {
              setPageInSight(page);
              open(page);
            }}
          />
        </SelectionMenu>
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
