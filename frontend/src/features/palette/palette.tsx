import { Kbd, Modal, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import IconFileText from "@tabler/icons-react/dist/esm/icons/IconFileText.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import IconTag from "@tabler/icons-react/dist/esm/icons/IconTag.mjs";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Command, fits } from "./commands";
import { PaletteList } from "./palette-list";
import { useFound } from "./use-found";

const PAUSE_MS = 150;

interface PaletteProps {
  /** Pages and actions, with texts in the language of the person. */
  commands: Command[];
  isOpen: boolean;
  onClose: () => void;
}

/** Everything by its name: type, choose with the arrows, Enter. The field keeps the focus; the list follows it. */
export function Palette({ isOpen, onClose, ...rest }: PaletteProps) {
  const { t } = useTranslation();
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
    >
      <PaletteBody {...rest} isOpen={isOpen} onClose={onClose} />
    </Modal>
  );
}

function PaletteBody({ commands, isOpen, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const listId = useId();
  const [query, setQuery] = useState("");
  const [sent] = useDebouncedValue(query.trim(), PAUSE_MS);
  const [chosen, setChosen] = useState(0);
  const shown = useShown(commands, query, sent, isOpen);
  const at = Math.min(chosen, shown.length - 1);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };

  function onKeyDown(event: React.KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && shown.length > 0) setChosen((at + step + shown.length) % shown.length);
    else if (event.key === "Home" && shown.length > 0) setChosen(0);
    else if (event.key === "End" && shown.length > 0) setChosen(shown.length - 1);
    else if (event.key === "Enter") run(shown[at]);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <TextInput
        size="lg"
        variant="unstyled"
        px="md"
        leftSection={<IconSearch size={20} aria-hidden />}
        placeholder={t("palette.placeholder")}
        aria-label={t("palette.placeholder")}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={shown[at] ? `${listId}-${at}` : undefined}
        value={query}
        maxLength={200}
        data-autofocus
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <VisuallyHidden role="status">{t("palette.count", { count: shown.length })}</VisuallyHidden>
      <PaletteList id={listId} commands={shown} chosen={at} onChoose={setChosen} onRun={run} />
      <Text size="xs" c="dimmed" px="md" py={8} visibleFrom="sm">
        {t("palette.keys")} · <Kbd size="xs">?</Kbd> {t("shortcuts.help")}
      </Text>
    </>
  );
}

function useShown(commands: Command[], query: string, sent: string, isOpen: boolean): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const found = useFound(query, { sent, isOpen });
  const typed = query.trim();
  const search: Command = {
    id: "search",
    group: "search",
    label: t("palette.searchFor", { query: typed }),
    icon: IconSearch,
    run: () => void navigate({ to: "/search", search: { q: typed } }),
  };
  return [
    ...commands.filter((command) => fits(query, command.label)),
    ...found.tags.map(
      (tag): Command => ({
        id: `tag-${tag.id}`,
        group: "tags",
        label: tag.name,
        hint: t("tags.documents", { count: tag.document_count }),
        icon: IconTag,
        run: () => void navigate({ to: "/documents", search: { tags: [tag.name] } }),
      }),
    ),
    ...found.documents.map(
      (document): Command => ({
        id: `document-${document.id}`,
        group: "documents",
        label: document.title ?? document.filename,
        hint: document.title ? document.filename : document.collection.name,
        icon: IconFileText,
        run: () => void navigate({ to: "/documents/$documentId", params: { documentId: document.id } }),
      }),
    ),
    ...(typed ? [search] : []),
  ];
}
