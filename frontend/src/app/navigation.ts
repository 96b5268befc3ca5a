import {
  IconChecklist,
  IconFiles,
  IconFolders,
  IconHistory,
  IconHome,
  IconKey,
  IconMessageQuestion,
  IconSearch,
  IconServer,
  IconShieldLock,
  IconStar,
  IconTag,
  IconTrash,
  IconUserShield,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";

export const LIBRARY_LINKS = [
  { to: "/", label: "nav.home", icon: IconHome },
  { to: "/documents", label: "nav.documents", icon: IconFiles },
  { to: "/search", label: "nav.search", icon: IconSearch },
  { to: "/ask", label: "nav.ask", icon: IconMessageQuestion },
  { to: "/tags", label: "nav.tags", icon: IconTag },
  { to: "/collections", label: "nav.collections", icon: IconFolders },
  { to: "/jobs", label: "nav.jobs", icon: IconChecklist },
  { to: "/trash", label: "nav.trash", icon: IconTrash },
] as const;

/** Pages of the settings. One more line is one more page in their list. */
export const SETTINGS_LINKS = [
  { to: "/keys", label: "nav.keys", icon: IconKey, group: "account", adminOnly: false },
  { to: "/security", label: "nav.security", icon: IconUserShield, group: "account", adminOnly: false },
  { to: "/golden", label: "nav.golden", icon: IconStar, group: "administration", adminOnly: false },
  { to: "/users", label: "nav.users", icon: IconUsers, group: "administration", adminOnly: true },
  { to: "/sign-in-settings", label: "nav.signIn", icon: IconShieldLock, group: "administration", adminOnly: true },
  { to: "/webhooks", label: "nav.webhooks", icon: IconWebhook, group: "administration", adminOnly: true },
  { to: "/activity", label: "nav.activity", icon: IconHistory, group: "administration", adminOnly: true },
  { to: "/system", label: "nav.system", icon: IconServer, group: "administration", adminOnly: true },
] as const;

export type PageLink = (typeof LIBRARY_LINKS | typeof SETTINGS_LINKS)[number];

/** The pages of the settings that this person may open. */
export const settingsFor = (isAdmin: boolean) => SETTINGS_LINKS.filter(({ adminOnly }) => isAdmin || !adminOnly);
