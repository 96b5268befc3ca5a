import { Alert, Anchor, Box, Button, Group, Stack, Tabs, Text, Title } from "@mantine/core";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ChunkList } from "@/features/document/chunk-list";
import { DocumentDetails, originalUrl } from "@/features/document/document-details";
import { type DocumentUrl, PANELS, type Panel } from "@/features/document/document-url";
import { OutlineList } from "@/features/document/outline-list";
import { PageLedger } from "@/features/document/page-ledger";
import { TextViewer } from "@/features/document/text-viewer";
import { type DocumentRecord, useDocument, useHighlights } from "@/features/document/use-document";
import { ErrorState, LoadingPage } from "@/shared/states";
import classes from "./document-page.module.css";

const PdfViewer = lazy(async () => ({ default: (await import("@/features/viewer/pdf-viewer")).PdfViewer }));
const route = getRouteApi("/documents/$documentId");

export function DocumentPage() {
  const { documentId } = route.useParams();
  const { data, error, refetch } = useDocument(documentId);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingPage />;
  return <Reader document={data} />;
}

function Reader({ document }: { document: DocumentRecord }) {
  const { t } = useTranslation();
  const url = route.useSearch();
  const navigate = route.useNavigate();
  const [pageInSight, setPageInSight] = useState(url.page ?? 1);
  const change = (values: Partial<DocumentUrl>) =>
    void navigate({ search: (old) => ({ ...old, ...values }), replace: true });
  const open = (page: number) =>
    void navigate({ search: ({ panel }) => ({ page, ...(panel ? { panel } : {}) }), replace: true });
  return (
    <Stack gap="sm">
      <Header document={document} />
      {document.error ? (
        <Alert color="red" title={document.error.message}>
          {document.error.hint}
        </Alert>
      ) : null}
      <div className={classes.columns}>
        <div className={classes.viewer}>
          <Viewer document={document} url={url} onPageInSight={setPageInSight} onOpen={open} />
        </div>
        <Tabs
          value={url.panel ?? "chunks"}
          onChange={(panel) => change({ panel: panel as Panel })}
          keepMounted={false}
        >
          <Tabs.List>
            {PANELS.map((panel) => (
              <Tabs.Tab key={panel} value={panel}>
                {t(`document.panel.${panel}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Box pt="sm" className={classes.panel}>
            <Tabs.Panel value="chunks">
              <ChunkList
                documentId={document.id}
                pageNumber={pageInSight}
                selectedStart={url.start}
                onSelect={(chunk) =>
                  change({ page: chunk.page_number, start: chunk.char_start, end: chunk.char_end })
                }
              />
            </Tabs.Panel>
            <Tabs.Panel value="outline">
              <OutlineList documentId={document.id} onOpen={open} />
            </Tabs.Panel>
            <Tabs.Panel value="pages">
              <PageLedger documentId={document.id} pageNumber={pageInSight} onOpen={open} />
            </Tabs.Panel>
            <Tabs.Panel value="details">
              <DocumentDetails document={document} />
            </Tabs.Panel>
          </Box>
        </Tabs>
      </div>
    </Stack>
  );
}

function Header({ document }: { document: DocumentRecord }) {
  const { t } = useTranslation();
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Box miw={0}>
        <Anchor component={Link} to="/documents" size="sm">
          {t("nav.documents")}
        </Anchor>
        <Title order={1} size="h3">
          {document.title ?? document.filename}
        </Title>
        <Text size="sm" c="dimmed">
          {document.filename} · {document.collection.name}
        </Text>
      </Box>
      <Button
        component="a"
        href={originalUrl(document.id, { isInline: false })}
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        {t("actions.download")}
      </Button>
    </Group>
  );
}

interface ViewerProps {
  document: DocumentRecord;
  url: DocumentUrl;
  onPageInSight: (pageNumber: number) => void;
  onOpen: (pageNumber: number) => void;
}

function Viewer({ document, url, onPageInSight, onOpen }: ViewerProps) {
  const range = { start: url.start, end: url.end };
  const found = useHighlights(document.id, range);
  const highlights = useMemo(() => found.data?.highlights ?? [], [found.data]);
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
  return (
    <TextViewer
      documentId={document.id}
      pageNumber={pageNumber}
      pageCount={document.page_count ?? 1}
      range={range}
      onPageChange={onOpen}
    />
  );
}
