import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useCanWrite } from "@/features/collections/use-collections";
import { type DocumentsSearch, toFilter } from "@/features/documents/documents-search";
import { peekedId } from "@/features/documents/peek/peeked-id";
import { openEditDialog } from "@/features/documents/row/edit-dialog";
import type { Document } from "@/features/documents/status/document-status";
import { usePageKeys } from "@/features/shortcuts/page-keys";
import { focusBeside, focusDocument, focusedDocument, focusLater, neighbour } from "./list-focus";
import { useBulk } from "./use-bulk";
import type { Selection } from "./use-selection";
import { useToggle } from "./use-toggle";

interface ListKeysProps {
  documents: Document[];
  selection: Selection;
  search: DocumentsSearch;
}

/** The keys of the list. They move the focus from document to document and act on the focused one. */
export function ListKeys({ documents, selection, search }: ListKeysProps): null {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const toggle = useToggle(documents, selection);
  const bulk = useBulk();
  const last = useRef<string | undefined>(undefined);
  const isPeeking = peekedId.use() !== null;
  useEffect(() => () => peekedId.set(null), []);

  const ids = documents.map(({ id }) => id);
  const currentId = () => focusedDocument() ?? peekedId.get() ?? last.current;
  const current = () => documents.find(({ id }) => id === currentId());

  function go(id: string | undefined) {
    if (id === undefined) return;
    last.current = id;
    focusDocument(id);
    if (peekedId.get() !== null) peekedId.set(id);
  }

  function peek() {
    if (peekedId.get() !== null && peekedId.get() === currentId()) return peekedId.set(null);
    const id = current()?.id ?? ids[0];
    go(id);
    peekedId.set(id ?? null);
  }

  function trash() {
    const one = current();
    const hasSelection = selection.isAll || selection.documents.length > 0;
    if (hasSelection) {
      const chosen = selection.isAll ? ids : selection.documents.map(({ id }) => id);
      const moveFocus = focusLater(chosen);
      const target = selection.isAll ? { filter: toFilter(search) } : { ids: chosen };
      void bulk.run(target, { action: "delete" }).then((done) => {
        if (!done) return;
        moveFocus();
        selection.clear();
      });
    } else if (one && canWrite(one.collection.id)) {
      const next = neighbour(ids, one.id, 1);
      if (ids.length > 1) go(next === one.id ? neighbour(ids, one.id, -1) : next);
      else focusBeside(one.id);
      void bulk.run({ ids: [one.id] }, { action: "delete" });
    }
  }

  function edit() {
    const one = current();
    if (one && canWrite(one.collection.id)) openEditDialog(one, t);
  }

  function select() {
    const one = current();
    if (one && canWrite()) toggle(one);
  }

  const down = () => go(neighbour(ids, currentId(), 1));
  const up = () => go(neighbour(ids, currentId(), -1));
  usePageKeys({
    j: down,
    k: up,
    x: select,
    e: edit,
    "#": trash,
    " ": peek,
    ...(isPeeking ? { ArrowDown: down, ArrowUp: up } : {}),
  });
  return null;
}
