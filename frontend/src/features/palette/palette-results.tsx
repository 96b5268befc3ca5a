import { Kbd, Text, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import IconFileText from "@tabler/icons-react/dist/esm/icons/IconFileText.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import IconTag from "@tabler/icons-react/dist/esm/icons/IconTag.mjs";
import { useNavigate } from "@tanstack/react-router";
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { type Command, fits } from "./commands";
import { PaletteList } from "./palette-list";
import { useFound } from "./use-found";

const PAUSE_MS = 150;

interface PaletteResultsProps {
  /** What the keys do that are pressed in the field: it keeps the focus. */
  ref: Ref<(event: KeyboardEvent) => void>;
  id: string;
  commands: Command[];
  query: string;
  /** Whether Enter was pressed, and nothing typed since, before this list was there. */
  early: RefObject<boolean>;
  onChosen: (optionId: string | undefined) => void;
  onClose: () => void;
}

/** What fits the words in the field; one is chosen, and Enter there runs it. */
export function PaletteResults({ ref, id, commands, query, early, onChosen, onClose }: PaletteResultsProps) {
  const { t } = useTranslation();
  const [sent] = useDebouncedValue(query.trim(), PAUSE_MS);
  const [choice, setChoice] = useState({ query, index: 0 });
  const shown = useShown(commands, query, sent);
  const at = choice.query === query ? Math.min(choice.index, shown.length - 1) : 0;
  const choose = (index: number) => setChoice({ query, index });
  const chosenId = shown[at] ? `${id}-${at}` : undefined;
  useLayoutEffect(() => onChosen(chosenId), [chosenId, onChosen]);

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the list has come
  useEffect(() => {
    if (early.current) run(shown[at]);
  }, []);
  useImperativeHandle(ref, () => (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && shown.length > 0) choose((at + step + shown.length) % shown.length);
    else if (event.key === "Home" && shown.length > 0) choose(0);
    else if (event.key === "End" && shown.length > 0) choose(shown.length - 1);
    else if (event.key === "Enter") run(shown[at]);
    else return;
    event.preventDefault();
  });

  return (
    <>
      <VisuallyHidden role="status">{t("palette.count", { count: shown.length })}</VisuallyHidden>
      <PaletteList id={id} commands={shown} chosen={at} onChoose={choose} onRun={run} />
      <Text size="xs" c="dimmed" px="md" py={8} visibleFrom="sm">
        {t("palette.keys")} · <Kbd size="xs">?</Kbd> {t("shortcuts.title")}
      </Text>
    </>
  );
}

function useShown(commands: Command[], query: string, sent: string): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const found = useFound(query, sent);
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
