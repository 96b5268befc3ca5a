import { useState } from "react";
import type { Document } from "@/features/documents/status/document-status";

export interface Selection {
  /** Those picked one by one, on whatever page they were. */
  documents: Document[];
  /** All that match, on all pages. */
  isAll: boolean;
  set: (documents: Document[]) => void;
  selectAll: () => void;
  clear: () => void;
}

const NONE: Document[] = [];

/** What is selected; another filter (`key`) starts with nothing selected. */
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
