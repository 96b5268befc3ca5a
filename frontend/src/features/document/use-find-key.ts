import { useEffect, useEffectEvent } from "react";

export const FIND_FIELD_ID = "find-in-document";

/**
 * Ctrl-F (Cmd-F) finds in the document: pdf.js keeps only a few pages drawn, so the browser's own search would miss the
 * others. Pressed again in our field it is the browser's, as ever.
 */
export function useFindKey(openFind: () => void): void {
  const open = useEffectEvent(openFind);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isFind = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === "f";
      const isInField = window.document.activeElement?.id === FIND_FIELD_ID;
      if (!isFind || isInField || window.document.querySelector("[aria-modal='true']")) return;
      event.preventDefault();
      open();
      const field = window.document.getElementById(FIND_FIELD_ID);
      if (field instanceof HTMLInputElement) field.select();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
