import { Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import type { ReactNode } from "react";
import { i18n } from "@/lib/i18n/i18n";

interface Question {
  title: string;
  text: ReactNode;
  /** What the button that does it says. */
  action: string;
  /** It can be undone, but concerns everybody: the button is not red. */
  isReversible?: boolean;
  onConfirm: () => void;
}

/** Asks before something that cannot be undone, or that others notice at once. */
export function askBefore({ title, text, action, isReversible = false, onConfirm }: Question): void {
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm: action, cancel: i18n.t("actions.cancel") },
    confirmProps: isReversible ? {} : { color: "red.9" },
    // what Enter does at once is the safe thing
    cancelProps: { "data-autofocus": true },
    closeButtonProps: { "aria-label": i18n.t("actions.close") },
    onConfirm,
  });
}
