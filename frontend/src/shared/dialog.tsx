import { Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import type { ReactNode } from "react";
import { i18n } from "@/lib/i18n/i18n";

let opened = 0;

/** Open a dialog. Its content gets the function that closes it. A sticky one is not closed by accident. */
export function openDialog(
  title: ReactNode,
  content: (close: () => void) => ReactNode,
  { isSticky = false }: { isSticky?: boolean } = {},
): void {
  opened += 1;
  const modalId = `dialog-${opened}`;
  modals.open({
    modalId,
    title,
    closeOnClickOutside: !isSticky,
    closeOnEscape: !isSticky,
    closeButtonProps: { "aria-label": i18n.t("actions.close") },
    children: content(() => modals.close(modalId)),
  });
}

interface Question {
  title: string;
  text: ReactNode;
  /** The label of the button that confirms. */
  action: string;
  /** An action that can be undone but concerns everybody: its button is not red. */
  isReversible?: boolean;
  onConfirm: () => void;
}

/** Ask before an action that cannot be undone, or that others notice at once. */
export function askBefore({ title, text, action, isReversible = false, onConfirm }: Question): void {
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm: action, cancel: i18n.t("actions.cancel") },
    confirmProps: isReversible ? {} : { variant: "danger" },
    // Enter does the safe thing
    cancelProps: { "data-autofocus": true },
    closeButtonProps: { "aria-label": i18n.t("actions.close") },
    onConfirm,
  });
}
