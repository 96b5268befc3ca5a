import { Menu } from "@mantine/core";
import { modals } from "@mantine/modals";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import IconFolderSymlink from "@tabler/icons-react/dist/esm/icons/IconFolderSymlink.mjs";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import IconPlayerStop from "@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs";
import IconRefresh from "@tabler/icons-react/dist/esm/icons/IconRefresh.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { notifyError } from "@/shared/notify";
import type { Document } from "./document-status";
import { EditDocumentForm } from "./edit-document-form";
import { MoveForm } from "./move-form";
import styles from "./row-menu.module.css";
import { useBulk } from "./use-bulk";
import { useDocumentMutations } from "./use-documents";

interface RowMenuProps {
  document: Document;
  canWrite: boolean;
  t: TFunction;
}

/** What can be done with one document. The menu is made when it is opened: a list has a hundred of these. */
export function RowMenu({ document, canWrite, t }: RowMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = (
    <button
      type="button"
      className={styles.button}
      aria-label={t("documents.actionsOf", { title: document.title ?? document.filename })}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
    >
      <IconDots size={18} aria-hidden />
    </button>
  );
  if (!isOpen) return button;
  return (
    <Menu opened onChange={setIsOpen} position="bottom-end" withinPortal shadow="md">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={`/api/v1/documents/${document.id}/original`}
          download={document.filename}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t("documents.download")}
        </Menu.Item>
        {canWrite ? <WriterItems document={document} /> : null}
      </Menu.Dropdown>
    </Menu>
  );
}

function WriterItems({ document }: { document: Document }) {
  const { t } = useTranslation();
  const { ingest, cancelJob } = useDocumentMutations();
  const bulk = useBulk();
  const target = { ids: [document.id] };
  const job = document.progress;
  const isWorkedOn = document.status === "queued" || document.status === "processing";

  const closeButtonProps = { "aria-label": t("actions.close") };

  function edit() {
    const modalId = `edit-${document.id}`;
    modals.open({
      modalId,
      title: t("documents.edit.title"),
      closeButtonProps,
      children: <EditDocumentForm document={document} onDone={() => modals.close(modalId)} />,
    });
  }

  function move() {
    const modalId = `move-${document.id}`;
    const onMove = (collection: string) => {
      modals.close(modalId);
      void bulk.run(target, { action: "move", collection });
    };
    modals.open({
      modalId,
      closeButtonProps,
      title: t("documents.move.title"),
      children: <MoveForm onMove={onMove} />,
    });
  }

  return (
    <>
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={edit}>
        {t("documents.edit.title")}
      </Menu.Item>
      <Menu.Item leftSection={<IconFolderSymlink size={16} aria-hidden />} onClick={move}>
        {t("documents.move.title")}
      </Menu.Item>
      {isWorkedOn && job ? (
        <Menu.Item
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          onClick={() =>
            cancelJob.mutate({ params: { path: { job_id: job.job_id } } }, { onError: notifyError })
          }
        >
          {t("documents.cancelReading")}
        </Menu.Item>
      ) : (
        <Menu.Item
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() =>
            ingest.mutate({ params: { path: { document_id: document.id } } }, { onError: notifyError })
          }
        >
          {t("documents.readAgain")}
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => void bulk.run(target, { action: "delete" })}
      >
        {t("documents.toTrash")}
      </Menu.Item>
    </>
  );
}
