import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ApiProblem } from "@/lib/api/problem";
import { i18n } from "@/lib/i18n/i18n";
import { problemText } from "@/lib/i18n/problem-text";
import { CodeText } from "./code-text";
import { returnFocus } from "./return-focus";

const LONG_MS = 10_000;

/** The sentence a person reads about an error: the API's own with its hint, or one in the person's language. A text is one already. */
export function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  if (!(error instanceof ApiProblem)) return i18n.t("errors.internal");
  if (error.status === 0) return i18n.t("errors.unreachable");
  if (error.code === "unauthorized") return i18n.t("account.sessionEnded");
  return problemText(error.details);
}

/** The title of a problem that trying again cannot help, or undefined. */
export function finalTitleOf(error: unknown): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  if (error.status === 404) return i18n.t("errors.missingTitle");
  if (error.code === "corrupt" || error.status === 415) return i18n.t("errors.fileTitle");
  return error.status === 422 ? i18n.t("errors.inputTitle") : undefined;
}

/** Show an error. A sentence of our own needs no title. */
export function notifyError(error: unknown): void {
  notifications.show({
    color: "red",
    title: typeof error === "string" ? undefined : (finalTitleOf(error) ?? i18n.t("errors.title")),
    message: <CodeText text={errorText(error)} />,
    autoClose: LONG_MS,
    closeButtonProps: { "aria-label": i18n.t("actions.close") },
  });
}

/** Say how work ended. It may take its own button away, so the message does not depend on the component. */
export async function notifyOutcome(work: Promise<unknown>, done: string): Promise<void> {
  try {
    await work;
    notifyDone(done);
  } catch (error) {
    notifyError(error);
  }
}

/** Something was done; `onUndo` takes it back. */
export function notifyDone(message: string, { onUndo }: { onUndo?: () => void } = {}): void {
  const id = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        {onUndo ? (
          <Button size="compact-sm" variant="default" flex="none" onClick={undo}>
            {i18n.t("actions.undo")}
          </Button>
        ) : null}
      </Group>
    ),
    autoClose: onUndo ? LONG_MS : 4_000,
    closeButtonProps: { "aria-label": i18n.t("actions.close") },
  });
  // the button that did it may be gone
  returnFocus();
  function undo() {
    notifications.hide(id);
    onUndo?.();
    // the button goes away with the message
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    returnFocus();
  }
}
