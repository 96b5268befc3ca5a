import { Menu } from "@mantine/core";
import { IconDots, IconDownload } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useEffect, useState } from "react";
import type { Document } from "@/features/documents/status/document-status";
import { returnFocus } from "@/shared/return-focus";
import styles from "./row-menu.module.css";
import { WriterItems } from "./writer-items";

interface RowMenuProps {
  document: Document;
  canWrite: boolean;
  t: TFunction;
}

/** The actions of a document. The menu renders when it is opened, because a list has a hundred rows. */
export function RowMenu({ document, canWrite, t }: RowMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => (isOpen ? returnFocus : undefined), [isOpen]);
  const button = (
    <button
      type="button"
      className={styles.button}
      aria-label={t("documents.actionsOf", { title: document.title ?? document.filename })}
      data-focus={`actions-${document.id}`}
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
