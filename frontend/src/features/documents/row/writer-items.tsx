import { Menu } from "@mantine/core";
import { IconFolderSymlink, IconPencil, IconPlayerStop, IconRefresh, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { focusBeside } from "@/features/documents/list/list-focus";
import { useBulk } from "@/features/documents/list/use-bulk";
import type { Document } from "@/features/documents/status/document-status";
import { useDocumentMutations } from "@/features/documents/use-documents";
import { openDialog } from "@/shared/dialog";
import { notifyError } from "@/shared/notify";
import { openEditDialog } from "./edit-dialog";
import { MoveForm } from "./move-form";

/** The menu items of people who may change the document. */
export function WriterItems({ document }: { document: Document }) {
  const { t } = useTranslation();
  const { ingest, cancelJob } = useDocumentMutations();
  const bulk = useBulk();
  const target = { ids: [document.id] };
  const job = document.progress;
  const isWorkedOn = document.status === "queued" || document.status === "processing";

  const move = () =>
    openDialog(t("documents.move.title"), (close) => (
      <MoveForm
        onMove={(collection) => {
          close();
          void bulk.run(target, { action: "move", collection });
        }}
      />
    ));

  function toTrash() {
    focusBeside(document.id);
    void bulk.run(target, { action: "delete" });
  }

  return (
    <>
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => openEditDialog(document, t)}>
        {t("documents.edit.title")}
      </Menu.Item>
      <Menu.Item leftSection={<IconFolderSymlink size={16} aria-hidden />} onClick={move}>
        {t("documents.move.title")}
      </Menu.Item>
      {isWorkedOn && job ? (
        <Menu.Item
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          onClick={() => cancelJob.mutate({ params: { path: { job_id: job.job_id } } }, { onError: notifyError })}
        >
          {t("documents.cancelReading")}
        </Menu.Item>
      ) : (
        <Menu.Item
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => ingest.mutate({ params: { path: { document_id: document.id } } }, { onError: notifyError })}
        >
          {t("documents.readAgain")}
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={toTrash}>
        {t("documents.toTrash")}
      </Menu.Item>
    </>
  );
}
