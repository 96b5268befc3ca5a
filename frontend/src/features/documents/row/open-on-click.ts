import type { useRouter } from "@tanstack/react-router";
import type { MouseEvent } from "react";

/** Open the document of a row or card that is clicked, unless a control in it is. */
export function openOnClick(router: ReturnType<typeof useRouter>, documentId: string, event: MouseEvent): void {
  // Events of popovers bubble up to the row too.
  if (!(event.currentTarget as Element).contains(event.target as Node)) return;
  if ((event.target as Element).closest("a, button, input, label")) return;
  void router.navigate({ to: "/documents/$documentId", params: { documentId } });
}
