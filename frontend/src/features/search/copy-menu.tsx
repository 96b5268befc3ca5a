import { ActionIcon, Menu } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import IconCopy from "@tabler/icons-react/dist/esm/icons/IconCopy.mjs";
import { useTranslation } from "react-i18next";
import type { Hit } from "./use-search";

export function asCitation(hit: Hit): string {
  const place = hit.section_heading ? `, “${hit.section_heading}”` : "";
  return `${hit.title ?? hit.document} (${hit.document}), p. ${hit.page_number}${place}: “${hit.snippet.text.trim()}”`;
}

export function asCurl(query: string): string {
  const body = JSON.stringify({ query }).replaceAll("'", "'\\''");
  return [
    `curl -X POST ${window.location.origin}/api/v1/search \\`,
    "  -H 'Authorization: Bearer YOUR_KEY' -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
  ].join("\n");
}

export function asMcpCall(query: string): string {
  return JSON.stringify({ method: "tools/call", params: { name: "search", arguments: { query } } }, null, 2);
}

export function CopyMenu({ hit, query }: { hit: Hit; query: string }) {
  const { t } = useTranslation();
  const clipboard = useClipboard();
  const copy = (text: string) => () => {
    clipboard.copy(text);
    notifications.show({ message: t("actions.copied") });
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon color="gray" aria-label={t("actions.copy")}>
          <IconCopy size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={copy(asCitation(hit))}>{t("search.copyCitation")}</Menu.Item>
        <Menu.Item onClick={copy(asCurl(query))}>{t("search.copyCurl")}</Menu.Item>
        <Menu.Item onClick={copy(asMcpCall(query))}>{t("search.copyMcp")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
