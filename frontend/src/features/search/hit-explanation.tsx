import { Code, Stack, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatDecimal } from "@/lib/format";
import type { Hit } from "./use-search";

/** The arithmetic behind a hit's place. */
export function HitExplanation({ hit }: { hit: Hit }) {
  const { t } = useTranslation();
  const explanation = hit.explain;
  if (!explanation) return null;
  return (
    <Stack gap="xs" mt="sm">
      <Code block>{explanation.formula}</Code>
      {explanation.title_share > 0 ? <Text size="xs">{t("search.titleMatch")}</Text> : null}
      {explanation.identifier_share > 0 ? <Text size="xs">{t("search.identified")}</Text> : null}
      {explanation.page_reference_share > 0 ? <Text size="xs">{t("search.pageReference")}</Text> : null}
      {explanation.is_keyword_first ? <Text size="xs">{t("search.keywordFirst")}</Text> : null}
      {explanation.is_unmatched_language ? <Text size="xs">{t("search.unmatchedLanguage")}</Text> : null}
      {explanation.terms.length > 0 ? (
        <Table fz="xs" withRowBorders={false} verticalSpacing={2} aria-label={t("search.terms")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("search.term")}</Table.Th>
              <Table.Th>{t("search.found")}</Table.Th>
              <Table.Th>{t("search.weight")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {explanation.terms.map((term) => (
              <Table.Tr key={term.term}>
                <Table.Td>{term.term}</Table.Td>
                <Table.Td>{t(term.is_matched ? "search.yes" : "search.no")}</Table.Td>
                <Table.Td>{typeof term.idf === "number" ? formatDecimal(term.idf, 2) : "–"}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      ) : null}
    </Stack>
  );
}
