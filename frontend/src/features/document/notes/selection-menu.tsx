import { Button, Paper } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconLink, IconMessageQuestion, IconNote, IconQuote } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentUrl } from "@/features/document/document-url";
import type { DocumentRecord } from "@/features/document/use-document";
import type { Changes } from "@/lib/search-params";
import { openDialog } from "@/shared/dialog";
import { notifyDone } from "@/shared/notify";
import { findPlace, type TextPlace } from "./find-place";
import { NoteForm } from "./note-form";
import styles from "./selection-menu.module.css";

interface Selected extends TextPlace {
  quote: string;
  /** Where the menu stands, in pixels of the window. */
  top: number;
  left: number;
}

interface SelectionMenuProps {
  document: DocumentRecord;
  onChange: (values: Changes<DocumentUrl>) => void;
  className: string | undefined;
  children: ReactNode;
}

const PAUSE_MS = 250;
const HEIGHT_PX = 44;
const HANDLE_CHARACTERS = 8;

/** What people do with words that they select on a page: quote them, link to them, ask about them, note something. */
export function SelectionMenu({ document, onChange, className, children }: SelectionMenuProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const clipboard = useClipboard();
  const pages = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<Selected | null>(null);
  const title = document.title ?? document.filename;

  useEffect(() => {
    let timer = 0;
    let reading = 0;
    async function read(own: number) {
      const found = pages.current && readSelection(pages.current, document.content_type);
      if (!found) return setSelected(null);
      const place = await findPlace(client, document.id, found).catch(() => null);
      if (own === reading) setSelected(place ? { ...found, ...place } : null);
    }
    function follow() {
      window.clearTimeout(timer);
      reading += 1;
      const own = reading;
      // a selection that is being made has no menu in its way
      timer = window.setTimeout(() => void read(own), PAUSE_MS);
    }
    const close = () => setSelected(null);
    window.document.addEventListener("selectionchange", follow);
    window.addEventListener("resize", close);
    pages.current?.addEventListener("scroll", close, { capture: true, passive: true });
    return () => {
      window.clearTimeout(timer);
      window.document.removeEventListener("selectionchange", follow);
      window.removeEventListener("resize", close);
    };
  }, [client, document.id, document.content_type]);

  function copy(text: string) {
    clipboard.copy(text);
    setSelected(null);
    notifyDone(t("actions.copied"));
  }
  const link = ({ page, start, end }: Selected) =>
    `${window.location.origin}/d/${document.id.slice(0, HANDLE_CHARACTERS)}/${page}/${start}-${end}`;
  const actions = [
    {
      name: t("notes:quote"),
      icon: IconQuote,
      run: (it: Selected) => copy(`“${it.quote}” (${title}, ${t("notes:page", { page: it.page })})\n${link(it)}`),
    },
    { name: t("notes:link"), icon: IconLink, run: (it: Selected) => copy(link(it)) },
    {
      name: t("notes:ask"),
      icon: IconMessageQuestion,
      run: ({ quote }: Selected) =>
        onChange({ panel: "ask", find: undefined, ask: t("notes:question", { quote }), asItIs: true }),
    },
    {
      name: t("notes:add"),
      icon: IconNote,
      run: ({ quote, start, end }: Selected) =>
        openDialog(t("notes:add"), (close) => (
          <NoteForm
            documentId={document.id}
            about={{ quote, char_start: start, char_end: end }}
            onDone={() => {
              close();
              onChange({ panel: "contents", find: undefined });
            }}
          />
        )),
    },
  ];
  return (
    <div ref={pages} className={className}>
      {children}
      {selected ? (
        <Paper
          className={styles.menu ?? ""}
          role="toolbar"
          aria-label={t("notes:menu")}
          shadow="md"
          __vars={{ "--menu-top": `${selected.top}px`, "--menu-left": `${selected.left}px` }}
          // a press must not end the selection
          onPointerDown={(event) => event.preventDefault()}
        >
          {actions.map(({ name, icon: Icon, run }) => (
            <Button
              key={name}
              size="compact-sm"
              variant="subtle"
              color="gray"
              leftSection={<Icon size={15} aria-hidden />}
              onClick={() => {
                setSelected(null);
                run(selected);
              }}
            >
              {name}
            </Button>
          ))}
        </Paper>
      ) : null}
    </div>
  );
}

/** Return the selected words of one page below `pages`, what stands before them there, and room for a menu. */
function readSelection(pages: HTMLElement, contentType: string) {
  const selection = window.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const pageOf = (node: Node) =>
    (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>("[data-page-number]");
  const page = pageOf(range.startContainer);
  if (!page || page !== pageOf(range.endContainer) || !pages.contains(page)) return null;
  const quote = selection.toString().replaceAll(/\s+/g, " ").trim();
  if (quote === "") return null;
  const before = window.document.createRange();
  before.selectNodeContents(page);
  before.setEnd(range.startContainer, range.startOffset);
  const box = range.getBoundingClientRect();
  const sight = pages.getBoundingClientRect();
  const sheets = contentType === "application/pdf" ? null : page.closest(".pdfViewer")?.childElementCount;
  const above = Math.max(box.top, sight.top + HEIGHT_PX) - HEIGHT_PX - 6;
  return {
    quote,
    page: Number(page.dataset.pageNumber),
    printedShare: sheets ? (Number(page.dataset.pageNumber) - 1) / sheets : undefined,
    before: before.toString(),
    top: box.top - HEIGHT_PX - 6 < sight.top ? Math.min(box.bottom + 6, sight.bottom - HEIGHT_PX) : above,
    left: Math.min(Math.max(box.left + box.width / 2, sight.left), sight.right),
  };
}
