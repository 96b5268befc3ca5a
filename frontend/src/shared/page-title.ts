import { useEffect } from "react";

/** Name the window after its page and what is shown there; `null` leaves that to what is inside. */
export function usePageTitle(title: string | null, subject?: string): void {
  useEffect(() => {
    if (title !== null) document.title = [subject, title, "Lectern"].filter(Boolean).join(" · ");
  }, [title, subject]);
}
