import { useCallback, useRef } from "react";
import type { Document } from "@/features/documents/status/document-status";
import type { Selection } from "./use-selection";

/** One function for all rows, so that rows need not be drawn anew when the selection changes. */
export function useToggle(documents: Document[], selection: Selection): (document: Document) => void {
  const latest = useRef({ documents, selection });
  latest.current = { documents, selection };
  return useCallback((document: Document) => {
    const { documents: shown, selection: current } = latest.current;
    const base = current.isAll ? shown : current.documents;
    const rest = base.filter((one) => one.id !== document.id);
    current.set(rest.length < base.length ? rest : [...base, document]);
  }, []);
}
