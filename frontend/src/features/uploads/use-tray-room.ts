import { useEffect, useRef } from "react";

const GAP_PIXELS = 16;

/**
 * Tell the page how much of its bottom the tray covers, as `--tray-height`, so that all of the page can be scrolled out
 * from beneath it. The ref is for the tray.
 */
export function useTrayRoom() {
  const tray = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = tray.current;
    if (!element) return;
    const root = document.documentElement.style;
    const observer = new ResizeObserver(() =>
      root.setProperty("--tray-height", `${element.offsetHeight + GAP_PIXELS}px`),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.removeProperty("--tray-height");
    };
  }, []);
  return tray;
}
