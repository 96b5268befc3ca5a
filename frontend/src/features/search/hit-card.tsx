import { Badge, Box, Collapse, Group, Paper, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { StarButton } from "@/features/golden/star-button";
import { TagChip } from "@/features/tags/tag-chip";
import { useTagColor } from "@/features/tags/use-tags";
import { formatDecimal } from "@/lib/format";
import { TextLink } from "@/shared/text-link";
import { CopyMenu, type SearchBody } from "./copy-menu";
import styles from "./hit-card.module.css";
import { HitExplanation } from "./hit-explanation";
import { MarkedText } from "./marked-text";
import { PageThumbnail } from "./page-thumbnail";
import type { Hit } from "./use-search";

interface HitCardProps {
  hit: Hit;
  position: number;
  /** The search that found it. */
  request: SearchBody;
}

/** One passage: where it stands, what it says, and why it is here. */
export function HitCard({ hit, position, request }: HitCardProps) {
  const { t } = useTranslation();
  const colorOf = useTagColor();
  const [isExplained, { toggle }] = useDisclosure(false);
  const pages =
    hit.page_number === hit.last_page_number
      ? t("search.page", { page: hit.page_number })
      : t("search.pages", { first: hit.page_number, last: hit.last_page_number });
  const pageNumber = hit.highlights[0]?.page ?? hit.page_number;
  return (
    <Paper component="li" withBorder p="md" radius="md">
      <div className={styles.hit}>
        <div className={styles.picture}>
          <PageThumbnail hit={hit} pageNumber={pageNumber} />
        </div>
        <Group className={styles.head ?? ""} justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
          <Box miw={0}>
            <TextLink
              to="/documents/$documentId"
              params={{ documentId: hit.document_id }}
              search={{
                page: pageNumber,
                start: hit.snippet.char_start,
                end: hit.snippet.char_end,
              }}
              fw={600}
            >
              {position}. {hit.title ?? hit.document}
            </TextLink>
            <Text size="sm" c="dimmed" lineClamp={2}>
              {[pages, ...hit.section_path].join(" › ")}
            </Text>
          </Box>
          <Group gap={2} wrap="nowrap">
            <StarButton
              query={request.query}
              documentId={hit.document_id}
              chunkId={hit.chunk_id}
              firstPage={hit.page_number}
              lastPage={hit.last_page_number}
            />
            <CopyMenu hit={hit} request={request} />
          </Group>
        </Group>
        <div className={styles.body}>
          <Text
            component="blockquote"
            m={0}
            mt="xs"
            size="sm"
            lh={1.6}
            style={{ whiteSpace: "pre-line" }}
            lang={hit.language}
          >
            <MarkedText text={hit.snippet.text} matches={hit.snippet.matches} sentence={hit.sentence} />
          </Text>
          <Group gap={6} mt="sm">
            <Badge variant="default">{hit.collection}</Badge>
            {hit.content_type !== "text" ? (
              <Badge variant="default">{t(`search.contentType.${hit.content_type}`)}</Badge>
            ) : null}
            {hit.tags.map((tag) => (
              <TagChip key={tag} name={tag} color={colorOf(tag)} />
            ))}
            <UnstyledButton onClick={toggle} aria-expanded={isExplained} ml="auto">
              <Text size="xs" c="dimmed" td="underline">
                {t("search.ranks", {
                  semantic: hit.semantic_rank ?? "–",
                  keyword: hit.keyword_rank ?? "–",
                  score: formatDecimal(hit.score, 2),
                })}
              </Text>
            </UnstyledButton>
          </Group>
          <Collapse expanded={isExplained}>
            <HitExplanation hit={hit} />
          </Collapse>
        </div>
      </div>
    </Paper>
  );
}
