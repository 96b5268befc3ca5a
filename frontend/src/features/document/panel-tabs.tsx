import "@mantine/core/styles/Tabs.css";
import { Box, Tabs } from "@mantine/core";
import { useScroller } from "@mantine/hooks";
import IconChevronLeft from "@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { PANELS, type Panel } from "./document-url";
import styles from "./panel-tabs.module.css";

const ARROW_PX = 40;

/** The panels' tabs in one line: where they have no room they slide, and the chosen one is in sight. */
export function PanelTabs({ chosen }: { chosen: Panel }) {
  const { t, i18n } = useTranslation();
  // Words of another length need another look at what has room.
  return <Strip key={i18n.language} chosen={chosen} nameOf={(panel) => t(`document.panel.${panel}`)} />;
}

/** Slide the strip alone: `scrollIntoView` would move the page too. */
function bringInSight(tab: HTMLElement | null): void {
  const strip = tab?.closest("[data-slides]");
  if (!tab || !strip) return;
  const [{ left, right }, edges] = [tab.getBoundingClientRect(), strip.getBoundingClientRect()];
  if (left < edges.left + ARROW_PX) strip.scrollLeft -= edges.left + ARROW_PX - left;
  else if (right > edges.right - ARROW_PX) strip.scrollLeft += right - edges.right + ARROW_PX;
}

function Strip({ chosen, nameOf }: { chosen: Panel; nameOf: (panel: Panel) => string }) {
  const tab = useRef<HTMLButtonElement>(null);
  const { ref, canScrollStart, canScrollEnd, scrollStart, scrollEnd } = useScroller({ draggable: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another panel may have been chosen elsewhere
  useEffect(() => bringInSight(tab.current), [chosen]);
  return (
    <Box className={styles.strip ?? ""}>
      <Box ref={ref} data-slides className={styles.window ?? ""}>
        <Tabs.List className={styles.list ?? ""}>
          {PANELS.map((name) => (
            <Tabs.Tab
              key={name}
              ref={name === chosen ? tab : null}
              value={name}
              className={styles.tab ?? ""}
              px={6}
              fz={13}
            >
              {nameOf(name)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Box>
      {/* For the mouse: the keys go from tab to tab, and what has the focus comes in sight by itself. */}
      {canScrollStart ? (
        <button type="button" tabIndex={-1} aria-hidden className={styles.before} onClick={scrollStart}>
          <IconChevronLeft size={16} />
        </button>
      ) : null}
      {canScrollEnd ? (
        <button type="button" tabIndex={-1} aria-hidden className={styles.after} onClick={scrollEnd}>
          <IconChevronRight size={16} />
        </button>
      ) : null}
    </Box>
  );
}
