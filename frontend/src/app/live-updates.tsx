import { useEffect } from "react";
import { type Listener, useLiveUpdates } from "@/features/events/use-live-updates";
import { DropOverlay } from "@/features/uploads/drop-overlay";
import { UploadDialog } from "@/features/uploads/upload-dialog";
import { UploadTray } from "@/features/uploads/upload-tray";
import { noteUploadNews, openUploads, refreshUploads, useUploads } from "@/features/uploads/uploads";

const LISTENER: Listener = { onNews: noteUploadNews, onRefetch: () => void refreshUploads() };

/** The one connection for news, for as long as somebody is signed in. */
export function LiveUpdates() {
  useLiveUpdates(LISTENER);
  return null;
}

/** Dropping files anywhere, the questions about them, and the tray that follows them. */
export function Uploads({ userId }: { userId: string }) {
  useEffect(() => openUploads(userId), [userId]);
  const hasUploads = useUploads().length > 0;
  return (
    <>
      <DropOverlay />
      <UploadDialog />
      {hasUploads ? <UploadTray /> : null}
    </>
  );
}
