import { Button, CloseButton, Group, Paper, Popover, Stack, Text } from "@mantine/core";
import {
  IconFolderSymlink,
  IconMessageQuestion,
  IconRefresh,
  IconTag,
  IconTagOff,
  IconTrash,
  IconUserCog,
} from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { type DocumentsSearch, toFilter } from "@/features/documents/documents-search";
import { MoveForm } from "@/features/documents/row/move-form";
import type { Document } from "@/features/documents/status/document-status";
import { useMe } from "@/features/session/use-session";
import { ShareForm } from "@/features/sharing/parts";
import { TagPicker } from "@/features/tags/tag-picker";
import { useEnsureTags } from "@/features/tags/use-tags";
import { formatNumber } from "@/lib/format";
import { LinkButton } from "@/shared/link-button";
import { notifyError } from "@/shared/notify";
import styles from "./bulk-bar.module.css";
import { focusLater } from "./list-focus";
import { type BulkChange, useBulk } from "./use-bulk";
import type { Selection } from "./use-selection";

interface BulkBarProps {
  selection: Selection;
  search: DocumentsSearch;
  total: number;
  /** The documents on the current page. */
  documents: Document[];
}

/** A question takes at most this many documents. */
const MOST_ASKED = 100;

/** The actions on the selected documents. Nothing without a selection. */
export function BulkBar({ selection, search, total, documents }: BulkBarProps) {
  const { t } = useTranslation();
  const bulk = useBulk();
  const isAdmin = useMe().me?.role === "admin";
  const count = selection.isAll ? total : selection.documents.length;
  if (count === 0) return null;

  const ids = (selection.isAll ? documents : selection.documents).map(({ id }) => id);

  async function run(change: BulkChange) {
    const moveFocus = focusLater(ids);
    const isDone = await bulk.run(selection.isAll ? { filter: toFilter(search) } : { ids }, change);
    if (isDone && change.action !== "tag" && change.action !== "untag") close(moveFocus);
  }

  function close(moveFocus: () => void) {
    moveFocus();
    selection.clear();
  }

  const canSelectAll = !selection.isAll && total > count && selection.documents.length >= documents.length;
  return (
    <Paper
      className={styles.bar ?? ""}
      withBorder
      shadow="md"
      p="xs"
      role="region"
      data-bulk
      aria-label={t("documents.bulk.label")}
    >
      <Group gap="xs">
        <CloseButton aria-label={t("documents.bulk.clear")} onClick={() => close(focusLater(ids))} />
        <Text size="sm" fw={600} aria-live="polite">
          {t("documents.bulk.selected", { count, formatted: formatNumber(count) })}
        </Text>
        {canSelectAll ? (
          <Button size="compact-sm" variant="subtle" onClick={selection.selectAll}>
            {t("documents.bulk.selectAll", { count: total, formatted: formatNumber(total) })}
          </Button>
        ) : null}
        <Group gap={6} ms="auto" className={styles.actions ?? ""}>
          <TagsAction action="tag" onRun={run} />
          <TagsAction action="untag" offered={tagsOf(selection, documents)} onRun={run} />
          <BulkPopover label={t("documents.bulk.move")} icon={<IconFolderSymlink size={15} aria-hidden />}>
            {(close) => (
              <MoveForm
                onMove={(collection) => {
                  close();
                  void run({ action: "move", collection });
                }}
              />
            )}
          </BulkPopover>
          {isAdmin ? (
            <BulkPopover label={t("sharing:changeOwner")} icon={<IconUserCog size={15} aria-hidden />}>
              {(close) => (
                <ShareForm
                  mutation={{ error: null, isPending: bulk.isPending }}
                  label={t("sharing:newOwner")}
                  submitLabel={t("sharing:changeOwner")}
                  onShare={(owner) => {
                    close();
                    void run({ action: "change_owner", owner });
                  }}
                />
              )}
            </BulkPopover>
          ) : null}
          {selection.isAll || count > MOST_ASKED ? null : (
            <LinkButton
              size="xs"
              variant="default"
              leftSection={<IconMessageQuestion size={15} aria-hidden />}
              title={t("documents.bulk.ask")}
              to="/ask"
              search={{ documents: ids }}
            >
              {t("documents.bulk.ask")}
            </LinkButton>
          )}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={15} aria-hidden />}
            title={t("documents.bulk.reingest")}
            disabled={bulk.isPending}
            onClick={() => void run({ action: "reingest" })}
          >
            {t("documents.bulk.reingest")}
          </Button>
          <Button
            size="xs"
            variant="danger"
            leftSection={<IconTrash size={15} aria-hidden />}
            title={t("documents.bulk.delete")}
            loading={bulk.isPending}
            onClick={() => void run({ action: "delete" })}
          >
            {t("documents.bulk.delete")}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}

const LABEL_HEIGHT = 32;

/** Return the tags of the selected documents, or undefined for all matches, which are not loaded. */
function tagsOf(selection: Selection, documents: Document[]): string[] | undefined {
  if (selection.isAll) return undefined;
  // the list is newer than the selection
  const newest = new Map([...selection.documents, ...documents].map(({ id, tags }) => [id, tags]));
  return [...new Set(selection.documents.flatMap(({ id }) => newest.get(id) ?? []))].sort();
}

interface TagsActionProps {
  action: "tag" | "untag";
  offered?: string[] | undefined;
  onRun: (change: BulkChange) => Promise<void>;
}

function TagsAction({ action, offered, onRun }: TagsActionProps) {
  const { t } = useTranslation();
  const [names, setNames] = useState<string[]>([]);
  const ensureTags = useEnsureTags();
  const Icon = action === "tag" ? IconTag : IconTagOff;

  async function apply(close: () => void) {
    try {
      if (action === "tag") await ensureTags(names);
    } catch (error) {
      notifyError(error);
      return;
    }
    close();
    await onRun({ action, tags: names });
    setNames([]);
  }

  return (
    <BulkPopover label={t(`documents.bulk.${action}`)} icon={<Icon size={15} aria-hidden />}>
      {(close) => (
        <Stack gap="xs">
          <TagPicker
            label={t(`documents.bulk.${action}Label`)}
            value={names}
            onChange={setNames}
            canCreate={action === "tag"}
            offered={offered}
            // above its label, which it would hide: there is no room below
            comboboxProps={{ withinPortal: false, position: "top", offset: LABEL_HEIGHT }}
            data-autofocus
          />
          <Button size="xs" disabled={names.length === 0} onClick={() => void apply(close)}>
            {t(`documents.bulk.${action}`)}
          </Button>
        </Stack>
      )}
    </BulkPopover>
  );
}

interface BulkPopoverProps {
  label: string;
  icon: ReactNode;
  children: (close: () => void) => ReactNode;
}

function BulkPopover({ label, icon, children }: BulkPopoverProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      width={300}
      position="top"
      shadow="md"
      withinPortal
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={icon} title={label} onClick={() => setIsOpen(!isOpen)}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>{children(() => setIsOpen(false))}</Popover.Dropdown>
    </Popover>
  );
}
