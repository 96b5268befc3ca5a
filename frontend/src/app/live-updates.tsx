import { Suspense, useEffect, useState } from "react";
import { type Listener, useLiveUpdates } from "@/features/events/use-live-updates";
import { useChosenFiles } from "@/features/uploads/chosen-files";
import { DropOverlay } from "@/features/uploads/drop-overlay";
import { noteUploadNews, openUploads, refreshUploads, useUploads } from "@/features/uploads/uploads";
import { lazyCode } from "@/lib/load-code";
import { fetchWhenIdle } from "@/lib/when-idle";

const loadDialog = async () => ({
  default: (await import("@/features/uploads/upload-dialog")).UploadDialog,
});
const UploadDialog = lazyCode(loadDialog);
const loadTray = async () => ({ default: (await import("@/features/uploads/upload-tray")).UploadTray });
const UploadTray = lazyCode(loadTray);
const LISTENER: Listener = { onNews: noteUploadNews, onRefetch: () => void refreshUploads() };

/** The one connection for news, for as long as somebody is signed in. */
export function LiveUpdates() {
  useLiveUpdates(LISTENER);
  return null;
}

/** Dropping files anywhere, the questions about them, and the tray that follows them. */
export function Uploads({ userId }: { userId: string }) {
  useEffect(() => openUploads(userId), [userId]);
  useEffect(() => fetchWhenIdle(loadDialog), []);
  useEffect(() => fetchWhenIdle(loadTray), []);
  const hasUploads = useUploads().length > 0;
  const hasFiles = useChosenFiles().length > 0;
  // Once made it stays, so that it can leave with its animation.
  const [isMade, setIsMade] = useState(false);
  if (hasFiles && !isMade) setIsMade(true);
  return (
    <>
      <DropOverlay />
      {isMade ? (
        <Suspense>
          <UploadDialog />
        </Suspense>
      ) : null}
      {hasUploads ? (
        <Suspense>
          <UploadTray />
        </Suspense>
      ) : null}
    </>
  );
}
