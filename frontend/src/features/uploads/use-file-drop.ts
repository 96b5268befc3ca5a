import { useEffect, useState } from "react";
import { notifyError } from "@/shared/notify";
import { droppedFiles } from "./dropped-files";

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/** Whether files hang over the window just now; when they are dropped anywhere, `onFiles` gets them. */
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
