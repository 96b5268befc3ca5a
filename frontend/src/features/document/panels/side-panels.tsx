import { Box, NavLink, Stack, Tabs, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type DocumentUrl, PANELS, type Panel } from "@/features/document/document-url";
import type { DocumentRecord } from "@/features/document/use-document";
import { useOutline } from "@/features/document/use-document";
import type { Finding } from "@/features/document/use-finding";
import type { Changes } from "@/lib/search-params";
import { SlidingTabs } from "@/shared/sliding-tabs";
import { EmptyState, ErrorState, LoadingState } from "@/shared/states";
import { ChunkList } from "./chunk-list";
import { CopiesList } from "./copies-list";
import { DocumentDetails } from "./document-details";
import { FindPanel } from "./find-panel";
import { HistoryList } from "./history-list";
import { PageLedger } from "./page-ledger";
import { VersionsList } from "./versions-list";

interface SidePanelsProps {
  document: DocumentRecord;
  url: DocumentUrl;
  pageInSight: number;
  finding: Finding;
  className: string | undefined;
  onChange: (values: Changes<DocumentUrl>) => void;
  onOpen: (pageNumber: number) => void;
}

/** The panels beside the pages. */
export function SidePanels({ document, url, pageInSight, finding, className, onChange, onOpen }: SidePanelsProps) {
  const { t } = useTranslation();
  const show = (passage: { page_number: number; char_start: number; char_end: number }) =>
    onChange({ page: passage.page_number, start: passage.char_start, end: passage.char_end });
  const panel = url.panel ?? "chunks";
  return (
    <Tabs value={panel} onChange={(next) => onChange({ panel: next as Panel })} keepMounted={false}>
      <SlidingTabs tabs={PANELS.map((value) => ({ value, name: t(`document.panel.${value}`) }))} chosen={panel} />
      <Box pt="sm" px={2} className={className ?? ""}>
        <Tabs.Panel value="chunks">
          <ChunkList
            documentId={document.id}
            pageNumber={pageInSight}
            isUnread={document.status === "failed"}
            selectedStart={url.start}
            onSelect={show}
          />
        </Tabs.Panel>
        <Tabs.Panel value="find">
          <FindPanel
            documentId={document.id}
            words={url.find}
            start={url.start}
            finding={finding}
            onWords={(find) => onChange({ find })}
            onSelect={show}
          />
        </Tabs.Panel>
        <Tabs.Panel value="outline">
          <OutlineList documentId={document.id} onOpen={onOpen} />
        </Tabs.Panel>
        <Tabs.Panel value="pages">
          <PageLedger documentId={document.id} pageNumber={pageInSight} onOpen={onOpen} />
        </Tabs.Panel>
        <Tabs.Panel value="details">
          <DocumentDetails document={document} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <HistoryList document={document} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <VersionsList document={document} />
        </Tabs.Panel>
        <Tabs.Panel value="copies">
          <CopiesList documentId={document.id} />
        </Tabs.Panel>
      </Box>
    </Tabs>
  );
}

function OutlineList({ documentId, onOpen }: { documentId: string; onOpen: (pageNumber: number) => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useOutline(documentId);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState rows={5} />;
  if (data.items.length === 0) return <EmptyState title={t("document.noOutline")} />;
  return (
    <Stack gap={0}>
      {data.items.map((entry, index) => (
        <NavLink
          component="button"
          type="button"
          // biome-ignore lint/suspicious/noArrayIndexKey: headings repeat; their place is their identity
          key={index}
          label={entry.title}
          pl={8 + (entry.level - 1) * 16}
          rightSection={
            <Text span size="sm" c="dimmed">
              {entry.page_number}
            </Text>
          }
          onClick={() => entry.page_number && onOpen(entry.page_number)}
        />
      ))}
    </Stack>
  );
}
