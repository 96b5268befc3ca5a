import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { PageHighlight } from "@/features/viewer/highlights";
import { $api } from "@/lib/api/client";
import { useInvalidate } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";

export type Note = components["schemas"]["NoteResponse"];

const PATH = "/api/v1/documents/{document_id}/notes";
const MOST = 200;
const NONE: Note[] = [];

/** The reader's notes on a document and those that are shared, in reading order. */
export function useNotes(documentId: string): Note[] {
  const query = { params: { path: { document_id: documentId }, query: { limit: MOST } } };
  return $api.useQuery("get", PATH, query).data?.items ?? NONE;
}

export function useNoteMutations() {
  const onSuccess = useInvalidate("notes");
  return {
    create: $api.useMutation("post", PATH, { onSuccess }),
    update: $api.useMutation("patch", `${PATH}/{note_id}`, { onSuccess }),
    remove: $api.useMutation("delete", `${PATH}/{note_id}`, { onSuccess }),
  };
}

/** Return the marks of the notes near a page, or of all on printed pages. Those of earlier versions have no place. */
export function useNoteMarks(documentId: string, where: number | "printed"): PageHighlight[] {
  const notes = useNotes(documentId).filter((note) => !note.is_outdated);
  const here = where === "printed" ? notes : notes.filter((note) => Math.abs(note.page_number - where) <= 1);
  const printed = where === "printed" ? { is_printed: true } : {};
  const found = useQueries({
    queries: here.map(({ char_start, char_end }) => ({
      ...$api.queryOptions("get", "/api/v1/documents/{document_id}/rectangles", {
        params: { path: { document_id: documentId }, query: { char_start, char_end, ...printed } },
      }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: (results) => results.map(({ data }) => data?.highlights),
  });
  // the queries make a new list at every rendering
  const key = JSON.stringify(found);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(
    () => found.flatMap((highlights) => (highlights ?? []).map((one) => ({ ...one, kind: "note" as const }))),
    [key],
  );
}
