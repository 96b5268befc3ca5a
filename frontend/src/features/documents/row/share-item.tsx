import { Menu } from "@mantine/core";
import { IconUserShare } from "@tabler/icons-react";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { Document } from "@/features/documents/status/document-status";
import { lazyCode } from "@/lib/load-code";
import { openDialog } from "@/shared/dialog";
import { LoadingState } from "@/shared/states";

const SharePanel = lazyCode(async () => ({
  default: (await import("@/features/sharing/document-share-panel")).DocumentSharePanel,
}));

/** The menu item of people who may share the document: editors of its collection, and its owner. */
export function ShareItem({ document, canWrite }: { document: Document; canWrite: boolean }) {
  const { t } = useTranslation();
  if (!canWrite && !document.is_owner) return null;
  const open = () =>
    openDialog(t("documents.shareOne", { name: document.title || document.filename }), () => (
      <Suspense fallback={<LoadingState rows={3} />}>
        <SharePanel document={document} />
      </Suspense>
    ));
  return (
    <Menu.Item leftSection={<IconUserShare size={16} aria-hidden />} onClick={open}>
      {t("documents.share")}
    </Menu.Item>
  );
}
