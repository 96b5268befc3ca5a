import {
  IconChecklist,
  IconFiles,
  IconFolders,
  IconHome,
  IconKey,
  IconMessageQuestion,
  IconSearch,
  IconServer,
  IconShieldLock,
  IconStar,
  IconTag,
  IconTrash,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";

export const LIBRARY_LINKS = [
  { to: "/home", label: "nav.home", icon: IconHome },
  { to: "/documents", label: "nav.documents", icon: IconFiles },
  { to: "/search", label: "nav.search", icon: IconSearch },
  { to: "/ask", label: "nav.ask", icon: IconMessageQuestion },
  { to: "/tags", label: "nav.tags", icon: IconTag },
  { to: "/collections", label: "nav.collections", icon: IconFolders },
  { to: "/jobs", label: "nav.jobs", icon: IconChecklist },
  { to: "/trash", label: "nav.trash", icon: IconTrash },
] as const;

export const ADMINISTRATION_LINKS = [
  { to: "/keys", label: "nav.keys", icon: IconKey, adminOnly: false },
  { to: "/golden", label: "nav.golden", icon: IconStar, adminOnly: false },
  { to: "/users", label: "nav.users", icon: IconUsers, adminOnly: true },
  { to: "/sign-in-settings", label: "nav.signIn", icon: IconShieldLock, adminOnly: true },
  { to: "/webhooks", label: "nav.webhooks", icon: IconWebhook, adminOnly: true },
  { to: "/system", label: "nav.system", icon: IconServer, adminOnly: true },
] as const;

/** Pages of the account menu. */
export const ACCOUNT_LINKS = [{ to: "/security", label: "nav.security", icon: IconShieldLock }] as const;
