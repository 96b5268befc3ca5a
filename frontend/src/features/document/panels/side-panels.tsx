import { Accordion, Box, Stack, Tabs, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Place } from "@/features/ask/place";
import { type DocumentUrl, PANELS, PARTS, type Panel } from "@/features/document/document-url";
import { NotesList } from "@/features/document/notes/notes-list";
import type { DocumentRecord } from "@/features/document/use-document";
import type { Finding } from "@/features/document/use-finding";
import { statusWords } from "@/features/documents/status/document-status";
import type { Changes } from "@/lib/search-params";
import { AskPanel } from "./ask-panel";
import { ChunkList } from "./chunk-list";
import { CopiesList } from "./copies-list";
import { DocumentDetails } from "./document-details";
import { FindPanel } from "./find-panel";
import { HistoryList } from "./history-list";
import { Outline } from "./outline";
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

/** The panels beside the pages. Matches take their place while words are looked for. */
export function SidePanels(props: SidePanelsProps) {
  const { document, url, finding, className, onChange } = props;
  const { t } = useTranslation();
  const panel = url.panel ?? "contents";
  const isAtMatch = finding.places.some((place) => place.char_start === url.start);
  const openPlace = ({ pageNumber, start, end }: Place) => onChange({ page: pageNumber, start, end });
  return (
    <Stack gap="xs">
      <FindPanel
        documentId={document.id}
        words={url.find}
        start={url.start}
        finding={finding}
        className={className}
        onWords={(find) => onChange(find || !isAtMatch ? { find } : { find, start: undefined, end: undefined })}
        onSelect={(place) => onChange({ page: place.page_number, start: place.char_start, end: place.char_end })}
      />
      {url.find ? null : (
        <Tabs value={panel} onChange={(next) => onChange({ panel: next as Panel })} keepMounted={false}>
          <Tabs.List>
            {PANELS.map((value) => (
              <Tabs.Tab key={value} value={value}>
                {t(`document.panel.${value}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Box pt="sm" px={2} className={className ?? ""}>
            <Tabs.Panel value="ask">
              {document.deleted_at ? (
                <Text size="sm">{t("reader.askTrashed")}</Text>
              ) : (
                <AskPanel documentId={document.id} url={url} onChange={onChange} onOpen={openPlace} />
              )}
            </Tabs.Panel>
            <Tabs.Panel value="contents">
              <Contents {...props} />
            </Tabs.Panel>
            <Tabs.Panel value="info">
              <Info {...props} />
            </Tabs.Panel>
          </Box>
        </Tabs>
      )}
    </Stack>
  );
}

/** The headings of the document and the passages of the page in sight. */
function Contents(props: SidePanelsProps) {
  const { document, url, pageInSight, onChange } = props;
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      {document.page_count === null ? null : <Outline {...props} />}
      <NotesList
        documentId={document.id}
        onOpen={(note) => onChange({ page: note.page_number, start: note.char_start, end: note.char_end })}
      />
      {document.status === "failed" && document.page_count === null ? null : (
        <Title order={2} size="h6">
          {t("document.passages", { page: pageInSight })}
        </Title>
      )}
      <ChunkList
        documentId={document.id}
        pageNumber={pageInSight}
        failure={document.status === "failed" ? statusWords(document, t).label : null}
        selectedStart={url.start}
        onSelect={(chunk) => onChange({ page: chunk.page_number, start: chunk.char_start, end: chunk.char_end })}
      />
    </Stack>
  );
}

/** What is known of the document, in parts of which one is open. */
function Info({ document, url, pageInSight, onChange, onOpen }: SidePanelsProps) {
  const { t } = useTranslation();
  const open = url.part ?? "details";
  const contents = {
    details: () => <DocumentDetails document={document} />,
    versions: () => <VersionsList document={document} />,
    copies: () => <CopiesList documentId={document.id} />,
    pages: () => <PageLedger documentId={document.id} pageNumber={pageInSight} onOpen={onOpen} />,
    history: () => <HistoryList document={document} />,
  };
  return (
    <Accordion value={open} onChange={(part) => onChange({ part: PARTS.find((one) => one === part) })} order={2}>
      {PARTS.map((part) => (
        <Accordion.Item key={part} value={part}>
          <Accordion.Control>{t(`document.part.${part}`)}</Accordion.Control>
          <Accordion.Panel>{part === open ? contents[part]() : null}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
