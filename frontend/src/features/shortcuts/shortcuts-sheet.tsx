import { Group, Kbd, Modal, Stack, Switch, Text, Title } from "@mantine/core";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { isMac, letters, setLetters } from "./key-sequences";

const GROUPS = ["anywhere", "go", "list", "document"] as const;
/** Keys whose names are translated. */
const NAMED = ["Space", "Enter"] as const;

export interface ShortcutLine {
  group: (typeof GROUPS)[number];
  /** `mod+K`, `?`, `g d`, `Space`. */
  keys: string;
  label: string;
}

interface ShortcutsSheetProps {
  lines: ShortcutLine[];
  isOpen: boolean;
  onClose: () => void;
}

/** Every shortcut there is, and the switch for those that are single letters. */
export function ShortcutsSheet({ lines, isOpen, onClose }: ShortcutsSheetProps) {
  const { t } = useTranslation();
  const hasLetters = letters.use();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t("shortcuts.title")}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <Stack gap="md">
        {GROUPS.map((group) => (
          <section key={group} aria-label={t(`shortcuts.group.${group}`)}>
            <Title order={3} size="h6" mb={4}>
              {t(`shortcuts.group.${group}`)}
            </Title>
            <Stack gap={6}>
              {lines
                .filter((line) => line.group === group)
                .map((line) => (
                  <Group key={line.keys} justify="space-between" wrap="nowrap">
                    <Text size="sm">{line.label}</Text>
                    <Keys keys={line.keys} />
                  </Group>
                ))}
            </Stack>
          </section>
        ))}
        <Switch
          label={t("shortcuts.letters")}
          description={t("shortcuts.lettersNote")}
          checked={hasLetters}
          onChange={(event) => setLetters(event.currentTarget.checked)}
        />
      </Stack>
    </Modal>
  );
}

function Keys({ keys }: { keys: string }) {
  const { t } = useTranslation();
  const steps = keys.split(" ");
  function nameOf(step: string) {
    const named = NAMED.find((name) => name === step);
    return named ? t(`shortcuts.key.${named}`) : step.replace("mod", isMac() ? "⌘" : "Ctrl");
  }
  return (
    <Group gap={4} wrap="nowrap">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice
        <Fragment key={index}>
          {index > 0 ? (
            <Text size="xs" c="dimmed" span>
              {t("shortcuts.then")}
            </Text>
          ) : null}
          <Kbd>{nameOf(step)}</Kbd>
        </Fragment>
      ))}
    </Group>
  );
}
