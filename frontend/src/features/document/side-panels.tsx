import { Box, Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { SlidingTabs } from "@/shared/sliding-tabs";
import { ChunkList } from "./chunk-list";
import { CopiesList } from "./copies-list";
import { DocumentDetails } from "./document-details";
import { type DocumentUrl, PANELS, type Panel } from "./document-url";
import { FindPanel } from "./find-panel";
import { HistoryList } from "./history-list";
import { OutlineList } from "./outline-list";
import { PageLedger } from "./page-ledger";
import type { DocumentRecord } from "./use-document";
import type { Finding } from "./use-finding";
import { VersionsList } from "./versions-list";

interface SidePanelsProps {
  document: DocumentRecord;
  url: DocumentUrl;
  pageInSight: number;
  finding: Finding;
  className: string | undefined;
  onChange: (values: { [K in keyof DocumentUrl]?: DocumentUrl[K] | undefined }) => void;
  onOpen: (pageNumber: number) => void;
}

/** What stands beside the pages. */
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
