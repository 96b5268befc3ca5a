import { useMantineColorScheme } from "@mantine/core";
import { IconKeyboard, IconLanguage, IconLogout, IconMoon, IconSun, IconUpload } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Command } from "@/features/palette/commands";
import { type Me, useSignOut } from "@/features/session/use-session";
import type { ShortcutLine } from "@/features/shortcuts/shortcuts-sheet";
import { pickFiles } from "@/features/uploads/dialog/chosen-files";
import { ownLanguageName } from "@/lib/format";
import { LANGUAGES, setLanguage } from "@/lib/i18n/i18n";
import { LIBRARY_LINKS, settingsFor } from "./navigation";

const GO_KEYS = {
  "/": "h",
  "/documents": "d",
  "/search": "s",
  "/ask": "a",
  "/tags": "t",
  "/collections": "c",
  "/jobs": "j",
  "/trash": "x",
  "/keys": "k",
  "/golden": "g",
  "/users": "p",
  "/webhooks": "w",
  "/activity": "l",
  "/system": "y",
  "/sign-in-settings": "i",
  "/security": "e",
} as const;

/** The list of documents binds them. */
const LIST_KEYS = [
  ["j", "next"],
  ["k", "previous"],
  ["Enter", "open"],
  ["Space", "peek"],
  ["x", "select"],
  ["e", "edit"],
  ["#", "delete"],
] as const;
const WRITER_KEYS = ["x", "e", "#"];

/** The reader binds them while a document is open. */
const DOCUMENT_KEYS = [
  ["j", "nextPage"],
  ["k", "previousPage"],
  ["+", "zoomIn"],
  ["-", "zoomOut"],
  ["0", "fit"],
  ["r", "rotate"],
  ["t", "thumbnails"],
  ["f", "fullScreen"],
  ["n", "nextResult"],
  ["p", "previousResult"],
] as const;

type Label =
  | ReturnType<typeof pagesFor>[number]["label"]
  | `shortcuts.${"palette" | "help" | "search" | "upload" | "find"}`
  | `shortcuts.list.${(typeof LIST_KEYS)[number][1]}`
  | `shortcuts.reader.${(typeof DOCUMENT_KEYS)[number][1]}`;

export interface Shortcut extends Omit<ShortcutLine, "label"> {
  label: Label;
  run?: () => void;
}

const pagesFor = (me: Me) => [...LIBRARY_LINKS, ...settingsFor(me.role === "admin")];

/** The pages and actions that the palette offers to this person. */
export function useCommands(me: Me, { showShortcuts }: { showShortcuts: () => void }): Command[] {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const action = (id: string, label: string, icon: Command["icon"], run: () => void): Command => ({
    id,
    group: "actions",
    label,
    icon,
    run,
  });
  return [
    ...pagesFor(me).map(
      ({ to, label, icon }): Command => ({
        id: to,
        group: "pages",
        label: t(label),
        hint: `g ${GO_KEYS[to]}`,
        icon,
        run: () => void navigate({ to }),
      }),
    ),
    ...(me.can_write ? [action("upload", t("uploads.choose"), IconUpload, () => pickFiles())] : []),
    colorScheme === "dark"
      ? action("light", t("palette.toLight"), IconSun, () => setColorScheme("light"))
      : action("dark", t("palette.toDark"), IconMoon, () => setColorScheme("dark")),
    ...LANGUAGES.filter((language) => language !== i18n.language).map((language) => {
      const label = `${t("appearance.language")}: ${ownLanguageName(language)}`;
      return action(`language-${language}`, label, IconLanguage, () => void setLanguage(language));
    }),
    action("shortcuts", t("shortcuts.title"), IconKeyboard, showShortcuts),
    action("sign-out", t("account.signOut"), IconLogout, () => void signOut()),
  ];
}

/** The shortcuts and what they run. Their labels are keys of texts, which only the sheet needs. */
export function useShortcuts(me: Me): Shortcut[] {
  const navigate = useNavigate();
  return [
    { group: "anywhere", keys: "mod+K", label: "shortcuts.palette" },
    { group: "anywhere", keys: "?", label: "shortcuts.help" },
    { group: "anywhere", keys: "/", label: "shortcuts.search", run: () => void navigate({ to: "/search" }) },
    ...(me.can_write
      ? [{ group: "anywhere", keys: "u", label: "shortcuts.upload", run: () => pickFiles() } as const]
      : []),
    ...pagesFor(me).map(({ to, label }) => ({
      group: "go" as const,
      keys: `g ${GO_KEYS[to]}`,
      label,
      run: () => void navigate({ to }),
    })),
    ...LIST_KEYS.filter(([keys]) => me.can_write || !WRITER_KEYS.includes(keys)).map(([keys, name]) => ({
      group: "list" as const,
      keys,
      label: `shortcuts.list.${name}` as const,
    })),
    { group: "document", keys: "mod+F", label: "shortcuts.find" },
    ...DOCUMENT_KEYS.map(([keys, name]) => ({
      group: "document" as const,
      keys,
      label: `shortcuts.reader.${name}` as const,
    })),
  ];
}
