import { Stack, Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { notifyError } from "@/shared/notify";
import { offerFiles } from "./chosen-files";
import styles from "./drop-overlay.module.css";

/** Files may be dropped anywhere in the window: while they hang over it, it says so. */
export function DropOverlay() {
  const { t } = useTranslation();
  const isOver = useFileDrop(offerFiles);
  if (!isOver) return null;
  return (
    <div className={styles.screen}>
      <Stack align="center" justify="center" gap="xs" className={styles.frame ?? ""}>
        <IconFileUpload size={64} stroke={1.2} aria-hidden />
        <Text fz="xl" fw={600}>
          {t("uploads.dropHere")}
        </Text>
        <Text c="dimmed">{t("uploads.dropKinds")}</Text>
      </Stack>
    </div>
  );
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/** Return true while files are dragged over the window. `onFiles` gets the dropped files. */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const lifetime = new AbortController();
    const options = { signal: lifetime.signal };
    function accept(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault(); // else the browser opens the file in place of the page
      setIsOver(true);
    }
    window.addEventListener("dragenter", accept, options);
    window.addEventListener("dragover", accept, options);
    // Only the pointer that leaves the window has nothing to go to.
    window.addEventListener("dragleave", (event) => event.relatedTarget === null && setIsOver(false), options);
    window.addEventListener(
      "drop",
      (event) => {
        setIsOver(false);
        if (!hasFiles(event) || !event.dataTransfer) return;
        event.preventDefault();
        droppedFiles(event.dataTransfer).then(onFiles, notifyError);
      },
      options,
    );
    return () => lifetime.abort();
  }, [onFiles]);
  return isOver;
}

// Files that operating systems add to folders and nobody means to upload.
const CLUTTER = /^(\.|Thumbs\.db$|desktop\.ini$)/i;

/** The files of a drop, those inside of dropped folders included. */
async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // Entries can only be read during the event.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files];
  return (await Promise.all(entries.map(filesOf))).flat();
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (CLUTTER.test(entry.name)) return [];
  if (entry.isFile) {
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  }
  const children = await readAll((entry as FileSystemDirectoryEntry).createReader());
  return (await Promise.all(children.map(filesOf))).flat();
}

/** A reader gives a hundred entries at a time, and none at the end. */
async function readAll(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}
