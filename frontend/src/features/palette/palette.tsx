import { Modal, TextInput, VisuallyHidden } from "@mantine/core";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { type KeyboardEvent, Suspense, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { lazyCode } from "@/lib/load-code";
import { fetchWhenIdle } from "@/lib/when-idle";
import { returnFocus } from "@/shared/return-focus";
import { LoadingState } from "@/shared/states";
import type { Command } from "./commands";

const loadResults = async () => ({ default: (await import("./palette-results")).PaletteResults });
const PaletteResults = lazyCode(loadResults);

interface PaletteProps {
  /** Pages and actions, with texts in the language of the person. */
  commands: Command[];
  isOpen: boolean;
  onClose: () => void;
}

/**
 * Everything by its name: type, choose with the arrows, Enter. The field is there and has the focus before the next key
 * is pressed, also while what fills the list is still being fetched: no letter is lost, and none goes elsewhere.
 */
export function Palette({ commands, isOpen, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const before = useRef<Element | null>(null);
  useEffect(() => fetchWhenIdle(loadResults), []);
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
      // What comes with an animation has its field some frames after the key that called it.
      transitionProps={{ duration: 0 }}
      onExitTransitionEnd={giveFocusBack}
    >
      <PaletteBody commands={commands} onClose={onClose} focus={focus.current} />
    </Modal>
  );
}

function PaletteBody({
  commands,
  onClose,
  focus,
}: Omit<PaletteProps, "isOpen"> & { focus: (field: HTMLElement | null) => void }) {
  const { t } = useTranslation();
  const listId = useId();
  const [query, setQuery] = useState("");
  const [chosenId, setChosenId] = useState<string>();
  const keys = useRef<(event: KeyboardEvent) => void>(null);
  const early = useRef(false);
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
          early.current = false;
          setQuery(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (keys.current) keys.current(event);
          else if (event.key === "Enter") early.current = true;
        }}
      />
      <Suspense fallback={<LoadingState rows={4} />}>
        <PaletteResults
          ref={keys}
          id={listId}
          commands={commands}
          query={query}
          early={early}
          onChosen={setChosenId}
          onClose={onClose}
        />
      </Suspense>
    </>
  );
}
