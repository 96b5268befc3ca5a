import { ActionIcon, Group, Kbd, Text, UnstyledButton } from "@mantine/core";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { Suspense, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Me } from "@/features/session/use-session";
import { isMac, isPaletteKey, listenForKeys } from "@/features/shortcuts/key-sequences";
import { areLettersOn } from "@/features/shortcuts/letters-setting";
import { lazyCode } from "@/lib/load-code";
import { useCommands, useShortcutLines } from "./commands";
import styles from "./keyboard.module.css";

const Palette = lazyCode(async () => ({ default: (await import("@/features/palette/palette")).Palette }));
const ShortcutsSheet = lazyCode(async () => ({
  default: (await import("@/features/shortcuts/shortcuts-sheet")).ShortcutsSheet,
}));

type Opened = "palette" | "shortcuts";

/** The palette and the sheet of shortcuts, the keys that open them, and the button for who uses no keys. */
export function Keyboard({ me }: { me: Me }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<Opened | null>(null);
  // What was opened once stays, so that it can leave with its animation.
  const [made, setMade] = useState<ReadonlySet<Opened>>(new Set());
  const open = (what: Opened) => {
    setMade((known) => new Set([...known, what]));
    setOpened(what);
  };
  const close = () => setOpened(null);
  const commands = useCommands(me, { showShortcuts: () => open("shortcuts") });
  const lines = useShortcutLines(me);
  const bindings = useEffectEvent(() =>
    areLettersOn()
      ? {
          "?": () => open("shortcuts"),
          ...Object.fromEntries(lines.flatMap(({ keys, run }) => (run ? [[keys, run] as const] : []))),
        }
      : {},
  );
  const togglePalette = useEffectEvent(() => (opened === "palette" ? close() : open("palette")));

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
        onClick={() => open("palette")}
      >
        <Group gap="xs" wrap="nowrap">
          <IconSearch size={16} aria-hidden />
          <Text size="sm" flex={1}>
            {t("palette.open")}
          </Text>
          <Kbd size="xs" aria-hidden>
            {isMac() ? "⌘ K" : "Ctrl K"}
          </Kbd>
        </Group>
      </UnstyledButton>
      <ActionIcon
        hiddenFrom="sm"
        size="lg"
        color="gray"
        aria-label={t("palette.open")}
        onClick={() => open("palette")}
      >
        <IconSearch size={20} aria-hidden />
      </ActionIcon>
      <Suspense>
        {made.has("palette") ? (
          <Palette commands={commands} isOpen={opened === "palette"} onClose={close} />
        ) : null}
        {made.has("shortcuts") ? (
          <ShortcutsSheet lines={lines} isOpen={opened === "shortcuts"} onClose={close} />
        ) : null}
      </Suspense>
    </>
  );
}
