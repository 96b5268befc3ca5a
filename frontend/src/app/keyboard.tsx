import { ActionIcon, Group, Kbd, Text, UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Palette } from "@/features/palette/palette";
import type { Me } from "@/features/session/use-session";
import { isMac, isPaletteKey, letters, listenForKeys } from "@/features/shortcuts/key-sequences";
import { pageBindings } from "@/features/shortcuts/page-keys";
import { ShortcutsSheet } from "@/features/shortcuts/shortcuts-sheet";
import { type Shortcut, useCommands, useShortcuts } from "./commands";
import styles from "./keyboard.module.css";

type Opened = "palette" | "shortcuts";

/** The palette and the sheet of shortcuts, the keys that open them, and the button for who uses no keys. */
export function Keyboard({ me }: { me: Me }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  if (opened && !wasOpened) setWasOpened(true);
  const shortcuts = useShortcuts(me);
  const bindings = useEffectEvent(() =>
    letters.get()
      ? {
          ...pageBindings(),
          "?": () => setOpened("shortcuts"),
          ...Object.fromEntries(shortcuts.flatMap(({ keys, run }) => (run ? [[keys, run] as const] : []))),
        }
      : {},
  );
  const togglePalette = useEffectEvent(() => setOpened(opened === "palette" ? null : "palette"));

  useEffect(() => {
    const listen = listenForKeys(() => bindings());
    const onKeyDown = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault();
        togglePalette();
      } else listen(event);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);

  return (
    <>
      <UnstyledButton
        visibleFrom="sm"
        className={styles.field}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpened("palette")}
      >
        <Group gap="xs" wrap="nowrap">
          <IconSearch size={16} aria-hidden />
          <Text size="sm" flex={1}>
            {t("palette.open")}
          </Text>
          <Kbd aria-hidden>{isMac() ? "⌘ K" : "Ctrl K"}</Kbd>
        </Group>
      </UnstyledButton>
      <ActionIcon
        hiddenFrom="sm"
        size="lg"
        color="gray"
        aria-label={t("palette.open")}
        onClick={() => setOpened("palette")}
      >
        <IconSearch size={20} aria-hidden />
      </ActionIcon>
      {/* their texts take time that a page which opens does not have */}
      {wasOpened ? <Dialogs {...{ me, shortcuts, opened, setOpened }} /> : null}
    </>
  );
}

interface DialogsProps {
  me: Me;
  shortcuts: Shortcut[];
  opened: Opened | null;
  setOpened: (opened: Opened | null) => void;
}

function Dialogs({ me, shortcuts, opened, setOpened }: DialogsProps) {
  const { t } = useTranslation();
  const close = () => setOpened(null);
  const commands = useCommands(me, { showShortcuts: () => setOpened("shortcuts") });
  const lines = shortcuts.map(({ label, ...shortcut }) => ({ ...shortcut, label: t(label) }));
  return (
    <>
      <Palette commands={commands} isOpen={opened === "palette"} onClose={close} />
      <ShortcutsSheet lines={lines} isOpen={opened === "shortcuts"} onClose={close} />
    </>
  );
}
