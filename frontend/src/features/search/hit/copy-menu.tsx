import { ActionIcon, Menu } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { toRequest } from "@/features/search/search-url";
import type { Hit } from "@/features/search/use-search";
import { readableText } from "@/lib/readable-text";

export function asCitation(hit: Hit): string {
  const place = hit.section_heading ? `, “${hit.section_heading}”` : "";
  return `${hit.title ?? hit.document} (${hit.document}), p. ${hit.page_number}${place}: “${readableText(hit.snippet.text).trim()}”`;
}

export type SearchBody = ReturnType<typeof toRequest>;

// Fields that only this page needs.
const OWN = new Set(["explain", "rectangles", "context", "fold", "nearest_sentence"]);

/** The request without what it would be anyway, and without what only this page needs. */
function essential(request: SearchBody): object {
  const { tags, top_k, hybrid, ...rest } = request;
  const narrowing = Object.entries(rest).filter(
    ([name, value]) => !OWN.has(name) && (!Array.isArray(value) || value.length > 0),
  );
  const tagLists = Object.entries(tags).filter(([, names]) => names.length > 0);
  return {
    ...Object.fromEntries(narrowing),
    top_k,
    ...(hybrid ? {} : { hybrid }),
    ...(tagLists.length > 0 ? { tags: Object.fromEntries(tagLists) } : {}),
  };
}

export function asCurl(request: SearchBody): string {
  const body = JSON.stringify(essential(request)).replaceAll("'", "'\\''");
  return [
    `curl -X POST ${window.location.origin}/api/v1/search \\`,
    "  -H 'Authorization: Bearer YOUR_KEY' -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
  ].join("\n");
}

/** The tool that comes nearest: agents search the whole reach of their key, some documents, or some tags. */
export function asMcpCall({ query, top_k, hybrid, documents, tags }: SearchBody): string {
  const [name, narrowing] =
    documents.length > 0
      ? ["search_by_document", { documents }]
      : tags.any.length > 0
        ? ["search_by_tag", { tags: tags.any }]
        : ["search", {}];
  const call = { name, arguments: { query, ...narrowing, top_k, ...(hybrid ? {} : { hybrid }) } };
  return JSON.stringify({ method: "tools/call", params: call }, null, 2);
}

export function CopyMenu({ hit, request }: { hit: Hit; request: SearchBody }) {
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
        <Menu.Item onClick={copy(asCurl(request))}>{t("search.copyCurl")}</Menu.Item>
        <Menu.Item onClick={copy(asMcpCall(request))}>{t("search.copyMcp")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
