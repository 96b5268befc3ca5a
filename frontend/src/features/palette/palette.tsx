import { Kbd, Modal, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { returnFocus } from "@/shared/return-focus";
import type { Command } from "./commands";
import { PaletteList } from "./palette-list";
import { useMatches } from "./use-matches";

interface PaletteProps {
  /** Pages and actions, with texts in the reader's language. */
  commands: Command[];
  isOpen: boolean;
  onClose: () => void;
}

/** Run commands and open tags and documents by name: type, choose with the arrows, press Enter. */
export function Palette({ commands, isOpen, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const before = useRef<Element | null>(null);
  // The field has the focus before the next key is pressed, so no letter goes elsewhere.
  const focus = useRef((field: HTMLElement | null) => {
    if (!field) return;
    before.current = document.activeElement;
    field.focus({ preventScroll: true });
  });
  function giveFocusBack() {
    const { current } = before;
    if (current instanceof HTMLElement && document.activeElement === document.body) current.focus();
    returnFocus();
  }
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={<VisuallyHidden>{t("palette.title")}</VisuallyHidden>}
      withCloseButton={false}
      padding={0}
      size={620}
      yOffset="10vh"
      styles={{ header: { minHeight: 0, padding: 0 } }}
      // With an animation the field would appear some frames after the key that opened it.
      transitionProps={{ duration: 0 }}
      onExitTransitionEnd={giveFocusBack}
    >
      <PaletteBody commands={commands} onClose={onClose} focus={focus.current} />
    </Modal>
  );
}

type PaletteBodyProps = Omit<PaletteProps, "isOpen"> & { focus: (field: HTMLElement | null) => void };

function PaletteBody({ commands, onClose, focus }: PaletteBodyProps) {
  const { t } = useTranslation();
  const listId = useId();
  const [query, setQuery] = useState("");
  const [choice, setChoice] = useState(0);
  const matches = useMatches(commands, query);
  const chosen = Math.min(choice, matches.length - 1);
  const chosenId = matches[chosen] ? `${listId}-${chosen}` : undefined;
  useEffect(() => {
    if (chosenId) document.getElementById(chosenId)?.scrollIntoView({ block: "nearest" });
  }, [chosenId]);

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || matches.length === 0) return;
    const last = matches.length - 1;
    const next = {
      ArrowDown: chosen === last ? 0 : chosen + 1,
      ArrowUp: chosen === 0 ? last : chosen - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (next !== undefined) setChoice(next);
    else if (event.key === "Enter") run(matches[chosen]);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <TextInput
        ref={focus}
        size="lg"
        variant="unstyled"
        px="md"
        leftSection={<IconSearch size={20} aria-hidden />}
        placeholder={t("palette.placeholder")}
        aria-label={t("palette.placeholder")}
        role="combobox"
        aria-expanded={chosenId !== undefined}
        aria-controls={chosenId && listId}
        aria-autocomplete="list"
        aria-activedescendant={chosenId}
        value={query}
        maxLength={200}
        data-autofocus
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setChoice(0);
        }}
        onKeyDown={onKeyDown}
      />
      <VisuallyHidden role="status">{t("palette.count", { count: matches.length })}</VisuallyHidden>
      <PaletteList id={listId} commands={matches} chosen={chosen} onChoose={setChoice} onRun={run} />
      <Text size="xs" c="dimmed" px="md" py={8} visibleFrom="sm">
        {t("palette.keys")} · <Kbd>?</Kbd> {t("shortcuts.title")}
      </Text>
    </>
  );
}
