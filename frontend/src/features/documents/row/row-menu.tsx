import { Menu } from "@mantine/core";
import { IconDots, IconDownload, IconLayoutSidebarRight } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useEffect, useState } from "react";
import { peekedId } from "@/features/documents/peek/peeked-id";
import type { Document } from "@/features/documents/status/document-status";
import { returnFocus } from "@/shared/return-focus";
import styles from "./row-menu.module.css";
import { ShareItem } from "./share-item";
import { WriterItems } from "./writer-items";

interface RowMenuProps {
  document: Document;
  canWrite: boolean;
  /** In the list, where the side panel can show it. */
  isInList?: boolean;
  t: TFunction;
}

/** The actions of a document. The menu renders when it is opened, because a list has a hundred rows. */
export function RowMenu({ document, canWrite, isInList, t }: RowMenuProps) {
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
        {isInList ? (
          <Menu.Item
            leftSection={<IconLayoutSidebarRight size={16} aria-hidden />}
            onClick={() => peekedId.set(document.id)}
          >
            {t("documents.peek.open")}
          </Menu.Item>
        ) : null}
        <Menu.Item
          component="a"
          href={`/api/v1/documents/${document.id}/original`}
          download={document.filename}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t("documents.download")}
        </Menu.Item>
        <ShareItem document={document} canWrite={canWrite} />
        {canWrite ? <WriterItems document={document} /> : null}
      </Menu.Dropdown>
    </Menu>
  );
}
