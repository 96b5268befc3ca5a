import { useEffect } from "react";

/** Name the window after what it shows; `null` leaves that to what is inside. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} · Lectern`;
  }, [title]);
}
