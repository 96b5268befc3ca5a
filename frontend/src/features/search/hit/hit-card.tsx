import { Badge, Box, Collapse, Group, Paper, Stack, Table, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconMessageQuestion } from "@tabler/icons-react";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { StarButton } from "@/features/golden/star-button";
import type { SearchUrl } from "@/features/search/search-url";
import type { ExplainedFeature, Hit } from "@/features/search/use-search";
import { TagChip } from "@/features/tags/tag-chip";
import { useTagColor } from "@/features/tags/use-tags";
import { formatDecimal, languageInSentence } from "@/lib/format";
import { FoldedList } from "@/shared/folded-list";
import { IconLink } from "@/shared/icon-link";
import { TextLink } from "@/shared/text-link";
import { CopyMenu, type SearchBody } from "./copy-menu";
import styles from "./hit-card.module.css";
import { hitLink } from "./hit-link";
import { MarkedText } from "./marked-text";
import { PageCrop } from "./page-crop";

const STRONG_FROM = 0.5;
const WEAK_BELOW = 0.2;

/** Return the word for the score of a hit, the probability that it answers. */
function strengthOf(score: number): "strong" | "possible" | "weak" {
  if (score >= STRONG_FROM) return "strong";
  return score < WEAK_BELOW ? "weak" : "possible";
}

const SMALLEST_CONTRIBUTION = 0.05;

interface HitCardProps {
  hit: Hit;
  position: number;
  /** Hits in its group. 0: it continues the group of the hit before. */
  groupSize: number;
  /** The address of the search. */
  results: SearchUrl;
  /** The search that found it. */
  request: SearchBody;
}

/** A search hit: its place, its text and its score. */
export function HitCard({ hit, position, groupSize, results, request }: HitCardProps) {
  const { t } = useTranslation();
  const [isExplained, { toggle }] = useDisclosure(false);
  const pages =
    hit.page_number === hit.last_page_number
      ? t("search.page", { page: hit.page_number })
      : t("search.pages", { first: hit.page_number, last: hit.last_page_number });
  const place = [pages, ...hit.section_path].join(" › ");
  const title = hit.title ?? hit.document;
  const isContinued = groupSize === 0;
  return (
    <Paper
      component="li"
      id={`hit-${position}`}
      className={styles.card ?? ""}
      data-continued={isContinued || undefined}
      withBorder
      p="md"
      radius="md"
    >
      <div className={styles.hit}>
        <Group className={styles.head ?? ""} justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
          <Box miw={0}>
            {isContinued ? (
              <TextLink {...hitLink(hit, position, results)} size="sm" lineClamp={2}>
                {position}. <VisuallyHidden>{title} </VisuallyHidden>
                {place}
              </TextLink>
            ) : (
              <>
                <TextLink {...hitLink(hit, position, results)} fw={600}>
                  {position}. {title}
                </TextLink>
                <Text size="sm" c="dimmed" lineClamp={2}>
                  {groupSize > 1 ? `${t("search.grouped", { count: groupSize })} · ` : null}
                  {place}
                </Text>
              </>
            )}
          </Box>
          <Group gap={2} wrap="nowrap">
            <StarButton
              query={request.query}
              documentId={hit.document_id}
              chunkId={hit.chunk_id}
              firstPage={hit.page_number}
              lastPage={hit.last_page_number}
            />
            <AskLink {...{ hit, position, results, title }} />
            <CopyMenu hit={hit} request={request} />
          </Group>
        </Group>
        <div className={styles.quote}>
          <Box component="blockquote" m={0} mt="xs" className="lectern-quote" lang={hit.language}>
            <MarkedText text={hit.snippet.text} matches={hit.snippet.matches} sentence={hit.sentence} />
          </Box>
          <Copies copies={hit.also_in} />
        </div>
        <div className={styles.picture}>
          <PageCrop hit={hit} position={position} results={results} />
        </div>
        <div className={styles.foot}>
          <Group gap={6} mt="sm">
            {isContinued ? null : <Badge variant="default">{hit.collection}</Badge>}
            {hit.explain?.is_unmatched_language && hit.language ? (
              <Badge variant="default">{t("search.inLanguage", { language: languageInSentence(hit.language) })}</Badge>
            ) : null}
            {hit.content_type !== "text" ? (
              <Badge variant="default">{t(`search.contentType.${hit.content_type}`)}</Badge>
            ) : null}
            {isContinued ? null : <Tags names={hit.tags} />}
            <Group gap={6} ml="auto">
              <Text size="xs" c="dimmed">
                {t(`search.strength.${strengthOf(hit.score)}`)}
              </Text>
              <UnstyledButton onClick={toggle} aria-expanded={isExplained}>
                <Text size="xs" c="dimmed" td="underline">
                  {t("search.details")}
                </Text>
              </UnstyledButton>
            </Group>
          </Group>
          <Collapse expanded={isExplained}>
            <HitExplanation hit={hit} />
          </Collapse>
        </div>
      </div>
    </Paper>
  );
}

type AskLinkProps = Pick<HitCardProps, "hit" | "position" | "results"> & { title: string };

/** Open a hit with the questions about its document beside it. */
function AskLink({ hit, position, results, title }: AskLinkProps) {
  const { t } = useTranslation();
  const { search, ...link } = hitLink(hit, position, results);
  const label = t("tags.ask", { name: title });
  return (
    <IconLink {...link} search={{ ...search, panel: "ask" }} color="gray" aria-label={label} title={label}>
      <IconMessageQuestion size={16} aria-hidden />
    </IconLink>
  );
}

function Tags({ names }: { names: string[] }) {
  const colorOf = useTagColor();
  return (
    <FoldedList>
      {names.map((name) => (
        <TagChip key={name} name={name} color={colorOf(name)} />
      ))}
    </FoldedList>
  );
}

const SHOWN_COPIES = 3;

/** Links to the same passage in copies of the document. */
export function Copies({ copies }: { copies: Hit["also_in"] }) {
  const { t } = useTranslation();
  if (copies.length === 0) return null;
  const more = copies.length - SHOWN_COPIES;
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {t("search.alsoIn")}{" "}
      {copies.slice(0, SHOWN_COPIES).map((copy, index) => (
        <Fragment key={copy.chunk_id}>
          {index > 0 ? ", " : null}
          <TextLink
            to="/documents/$documentId"
            params={{ documentId: copy.document_id }}
            search={{ page: copy.page_number }}
            size="sm"
          >
            {copy.title ?? copy.document}
          </TextLink>{" "}
          ({copy.collection})
        </Fragment>
      ))}
      {more > 0 ? ` ${t("search.moreCopies", { count: more })}` : null}
    </Text>
  );
}

/** What the ranker counted for and against a hit. */
function RankingFeatures({ features }: { features: ExplainedFeature[] }) {
  const { t } = useTranslation();
  const shown = features.filter(({ contribution }) => Math.abs(contribution) >= SMALLEST_CONTRIBUTION);
  if (shown.length === 0) return <Text size="xs">{t("search.byFusion")}</Text>;
  return (
    <Table fz="xs" withRowBorders={false} verticalSpacing={2} aria-label={t("search.reasons")}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("search.reason")}</Table.Th>
          <Table.Th>{t("search.value")}</Table.Th>
          <Table.Th>{t("search.contribution")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shown.map(({ name, meaning, value, contribution }) => (
          <Table.Tr key={name}>
            <Table.Td>{t(`search.features.${name}`, { defaultValue: meaning })}</Table.Td>
            <Table.Td>{formatDecimal(value, 2)}</Table.Td>
            <Table.Td>{formatDecimal(contribution, 2)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Why a hit has its place. */
function HitExplanation({ hit }: { hit: Hit }) {
  const { t } = useTranslation();
  const explanation = hit.explain;
  if (!explanation) return null;
  return (
    <Stack gap="xs" mt="sm">
      <Text size="xs">
        {t("search.ranks", {
          semantic: hit.semantic_rank ?? "–",
          keyword: hit.keyword_rank ?? "–",
          score: formatDecimal(hit.score, 2),
        })}
      </Text>
      <RankingFeatures features={explanation.features} />
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
