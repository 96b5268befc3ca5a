import { useState } from "react";
import type { Document } from "@/features/documents/status/document-status";

export interface Selection {
  /** Documents selected one by one, on any page. */
  documents: Document[];
  /** All that match, on all pages. */
  isAll: boolean;
  set: (documents: Document[]) => void;
  selectAll: () => void;
  clear: () => void;
}

const NONE: Document[] = [];

/** Keep the selection. It is empty again after a change of the filter (`key`). */
export function useSelection(key: string): Selection {
  const [state, setState] = useState({ key, documents: NONE, isAll: false });
  const current = state.key === key ? state : { key, documents: NONE, isAll: false };
  return {
    documents: current.documents,
    isAll: current.isAll,
    set: (documents) => setState({ key, documents, isAll: false }),
    selectAll: () => setState({ ...current, isAll: true }),
    clear: () => setState({ key, documents: NONE, isAll: false }),
  };
}
