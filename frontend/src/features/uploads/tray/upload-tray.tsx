import { ActionIcon, Button, Group, Paper, Text } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { phaseOf, type UploadItem } from "@/features/uploads/upload-item";
import { uploads, useUploads } from "@/features/uploads/uploads";
import { UploadLine } from "./upload-line";
import styles from "./upload-tray.module.css";
import { inOrder, summary } from "./upload-words";

const SHOWN = 50;

/** Something goes on, or a file has to be chosen once more: not what came to its end before the page was loaded. */
const isNews = (item: UploadItem) => !item.isRecalled || phaseOf(item) === "active" || item.state === "lost";

/** Expand the tray when files are added, and collapse it on the next page, which it would cover. */
function useOpenness(items: readonly UploadItem[]) {
  const count = items.length;
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [isOpen, setIsOpen] = useState(() => items.some(isNews));
  const [seen, setSeen] = useState({ path, count });
  if (seen.path !== path || seen.count !== count) {
    setSeen({ path, count });
    if (seen.path !== path) setIsOpen(false);
    else if (count > seen.count) setIsOpen(true);
  }
  return [isOpen, setIsOpen] as const;
}

/** All uploads of this window, wherever one is in it. */
export function UploadTray() {
  const items = useUploads();
  return items.length > 0 ? <Tray items={items} /> : null;
}

function Tray({ items }: { items: readonly UploadItem[] }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useOpenness(items);
  const room = useTrayRoom();
  const isUnsent = items.some(({ state }) => state === "waiting" || state === "sending" || state === "pausing");
  useWarningBeforeLeaving(isUnsent);
  const isDone = items.some((item) => phaseOf(item) === "done");
  const Chevron = isOpen ? IconChevronDown : IconChevronUp;
  return (
    <Paper
      ref={room}
      className={styles.tray ?? ""}
      withBorder
      shadow="lg"
      component="section"
      aria-label={t("uploads.title")}
    >
      <Group justify="space-between" wrap="nowrap" px="sm" py={6} className={styles.head ?? ""}>
        <Text size="sm" fw={600} role="status" style={{ textWrap: "balance" }}>
          {summary(items, t)}
        </Text>
        <Group gap={4} wrap="nowrap">
          {isDone ? (
            <Button size="compact-xs" variant="subtle" onClick={() => uploads.remove()}>
              {t("uploads.clearDone")}
            </Button>
          ) : null}
          <ActionIcon
            color="gray"
            aria-label={t(isOpen ? "uploads.collapse" : "uploads.expand")}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Chevron size={18} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      {isOpen ? <Lines items={items} /> : null}
    </Paper>
  );
}

function Lines({ items }: { items: readonly UploadItem[] }) {
  const { t } = useTranslation();
  return (
    <ul className={`tray-lines ${styles.lines}`} tabIndex={-1}>
      {inOrder(items)
        .slice(0, SHOWN)
        .map((item) => (
          <UploadLine key={item.id} item={item} />
        ))}
      {items.length > SHOWN ? (
        <li className={styles.line}>
          <Text size="xs" c="dimmed">
            {t("uploads.more", { count: items.length - SHOWN })}
          </Text>
        </li>
      ) : null}
    </ul>
  );
}

/** Files that are not sent are lost with the page: the browser asks before it goes. */
function useWarningBeforeLeaving(isUnsent: boolean) {
  useEffect(() => {
    if (!isUnsent) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isUnsent]);
}

const GAP_PIXELS = 16;

/**
 * Tell the page how much of its bottom the tray covers, as `--tray-height`, so that all of the page can be scrolled out
 * from beneath it. The ref is for the tray.
 */
function useTrayRoom() {
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
