import IconChecklist from "@tabler/icons-react/dist/esm/icons/IconChecklist.mjs";
import IconFiles from "@tabler/icons-react/dist/esm/icons/IconFiles.mjs";
import IconFolders from "@tabler/icons-react/dist/esm/icons/IconFolders.mjs";
import IconKey from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
import IconMessageQuestion from "@tabler/icons-react/dist/esm/icons/IconMessageQuestion.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import IconServer from "@tabler/icons-react/dist/esm/icons/IconServer.mjs";
import IconStar from "@tabler/icons-react/dist/esm/icons/IconStar.mjs";
import IconTag from "@tabler/icons-react/dist/esm/icons/IconTag.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import IconUsers from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs";

export const LIBRARY_LINKS = [
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
  { to: "/system", label: "nav.system", icon: IconServer, adminOnly: true },
] as const;
