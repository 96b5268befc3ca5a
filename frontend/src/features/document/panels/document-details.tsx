import { Group, Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DocumentRecord } from "@/features/document/use-document";
import { typeName } from "@/features/documents/status/document-status";
import { TagChip } from "@/features/tags/tag-chip";
import { useTagColor } from "@/features/tags/use-tags";
import { formatBytes, formatDateTime, formatNumber, languageName } from "@/lib/format";

export const originalUrl = (documentId: string, { isInline }: { isInline: boolean }) =>
  `/api/v1/documents/${documentId}/original?is_inline=${isInline}`;

export function DocumentDetails({ document }: { document: DocumentRecord }) {
  const { t } = useTranslation();
  const colorOf = useTagColor();
  const moment = (value: string | null) => (value ? formatDateTime(value) : "–");
  const rows: [string, React.ReactNode][] = [
    [t("document.filename"), document.filename],
    [t("document.aliases"), document.aliases.join(", ") || "–"],
    [t("document.collection"), document.collection.name],
    [
      t("nav.tags"),
      <Group gap={4} key="tags">
        {document.tags.length > 0
          ? document.tags.map((tag) => <TagChip key={tag} name={tag} color={colorOf(tag)} />)
          : "–"}
      </Group>,
    ],
    [t("document.type"), typeName(document.content_type, t)],
    [t("document.size"), formatBytes(document.size_bytes)],
    [t("document.pages"), document.page_count === null ? "–" : formatNumber(document.page_count)],
    [t("document.chunks"), `${formatNumber(document.embedded_chunk_count)} / ${formatNumber(document.chunk_count)}`],
    [t("document.language"), document.language ? languageName(document.language) : "–"],
    [t("document.added"), moment(document.created_at)],
    [t("document.keywordReady"), moment(document.keyword_ready_at)],
    [t("document.ready"), moment(document.ready_at)],
    ["SHA-256", <code key="hash">{document.sha256.slice(0, 16)}…</code>],
  ];
  return (
    <Table verticalSpacing={6} layout="fixed">
      <Table.Tbody>
        {rows.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th w={150} scope="row">
              {label}
            </Table.Th>
            <Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
