import { Box, Tabs } from "@mantine/core";
import { useScroller } from "@mantine/hooks";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import styles from "./sliding-tabs.module.css";

const ARROW_PX = 40;

interface SlidingTabsProps {
  tabs: { value: string; name: string }[];
  chosen: string;
  label?: string;
}

/** The list of `Tabs` in one line: where it has no room it slides, and the chosen one is in sight. */
export function SlidingTabs({ tabs, ...rest }: SlidingTabsProps) {
  // Words of another length need another look at what has room.
  return <Strip key={tabs.map(({ name }) => name).join()} tabs={tabs} {...rest} />;
}

/** Slide the strip alone: `scrollIntoView` would move the page too. */
function bringInSight(tab: HTMLElement | null): void {
  const strip = tab?.closest("[data-slides]");
  if (!tab || !strip) return;
  const [{ left, right }, edges] = [tab.getBoundingClientRect(), strip.getBoundingClientRect()];
  if (left < edges.left + ARROW_PX) strip.scrollLeft -= edges.left + ARROW_PX - left;
  else if (right > edges.right - ARROW_PX) strip.scrollLeft += right - edges.right + ARROW_PX;
}

function Strip({ tabs, chosen, label }: SlidingTabsProps) {
  const tab = useRef<HTMLButtonElement>(null);
  const { ref, canScrollStart, canScrollEnd, scrollStart, scrollEnd } = useScroller({ draggable: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab may have been chosen elsewhere
  useEffect(() => bringInSight(tab.current), [chosen]);
  return (
    <Box className={styles.strip ?? ""}>
      <Box ref={ref} data-slides className={styles.window ?? ""}>
        <Tabs.List className={styles.list ?? ""} aria-label={label}>
          {tabs.map(({ value, name }) => (
            <Tabs.Tab
              key={value}
              ref={value === chosen ? tab : null}
              value={value}
              className={styles.tab ?? ""}
              px={6}
              fz={13}
            >
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Box>
      {/* For the mouse: the keys go from tab to tab, and the browser scrolls to the focused one. */}
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
