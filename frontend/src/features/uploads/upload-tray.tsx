import { ActionIcon, Button, Group, Paper, Text } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronUp from "@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { phaseOf, type UploadItem } from "./upload-item";
import { UploadLine } from "./upload-line";
import styles from "./upload-tray.module.css";
import { summary } from "./upload-words";
import { uploads, useUploads } from "./uploads";

const SHOWN = 50;
const ORDER = { attention: 0, active: 1, done: 2 } as const;

/** What needs a person first, then what is going on, then what is done. */
function inOrder(items: readonly UploadItem[]): UploadItem[] {
  return [...items].sort((a, b) => ORDER[phaseOf(a)] - ORDER[phaseOf(b)]);
}

/** All uploads of this window, wherever one is in it. */
export function UploadTray() {
  const { t } = useTranslation();
  const items = useUploads();
  const [isOpen, setIsOpen] = useState(true);
  const isUnsent = items.some(
    ({ state }) => state === "waiting" || state === "sending" || state === "pausing",
  );
  useWarningBeforeLeaving(isUnsent);
  if (items.length === 0) return null;
  const isDone = items.some((item) => phaseOf(item) === "done");
  const Chevron = isOpen ? IconChevronDown : IconChevronUp;
  return (
    <Paper
      className={styles.tray ?? ""}
      withBorder
      shadow="lg"
      component="section"
      aria-label={t("uploads.title")}
    >
      <Group justify="space-between" wrap="nowrap" px="sm" py={6} className={styles.head ?? ""}>
        <Text size="sm" fw={600} role="status">
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
    <ul className={styles.lines} tabIndex={-1}>
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
