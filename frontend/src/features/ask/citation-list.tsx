import { Text, UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { readableCharacters } from "@/lib/readable-text";
import type { Citation, ClosestSource } from "./answer-stream";
import styles from "./ask.module.css";

interface CitationListProps {
  citations: Citation[];
  selected: number | undefined;
  onSelect: (number: number) => void;
}

/** The sources of an answer by number. One of them is open beside it. */
export function CitationList({ citations, selected, onSelect }: CitationListProps) {
  return (
    <ol className={styles.sources}>
      {citations.map((citation) => (
        <li key={citation.number}>
          <UnstyledButton
            className={styles.source}
            aria-pressed={citation.number === selected}
            onClick={() => onSelect(citation.number)}
          >
            <Place source={citation} number={citation.number} />
          </UnstyledButton>
        </li>
      ))}
    </ol>
  );
}

interface NearestListProps {
  sources: ClosestSource[];
  selected: string | undefined;
  onSelect: (source: ClosestSource) => void;
}

/** The passages that come closest to an answer, with the best sentence of each marked. */
export function NearestList({ sources, selected, onSelect }: NearestListProps) {
  return (
    <ul className={styles.sources}>
      {sources.map((source) => (
        <li key={source.chunk_id}>
          <UnstyledButton
            className={styles.source}
            aria-pressed={source.chunk_id === selected}
            onClick={() => onSelect(source)}
          >
            <Place source={source} />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}

type Placed = Pick<Citation, "title" | "document" | "page_number" | "section_heading" | "snippet"> &
  Partial<Pick<Citation, "basis"> & Pick<ClosestSource, "sentence">>;

/** Where a source is, and its words. */
export function Place({ source, number }: { source: Placed; number?: number }) {
  const { t } = useTranslation();
  const place = [t("search.page", { page: source.page_number }), source.section_heading].filter(Boolean);
  return (
    <>
      <Text component="span" display="block" size="sm" fw={600}>
        {number === undefined ? "" : `${number}. `}
        {source.title ?? source.document}
      </Text>
      <Text component="span" display="block" size="xs" c="dimmed">
        {place.join(" › ")}
      </Text>
      <Text
        component="span"
        display="block"
        size="sm"
        mt={4}
        {...(source.sentence ? {} : { lineClamp: 4 })}
        style={{ whiteSpace: "pre-line" }}
      >
        {source.basis === "image" ? t("ask:readOffPicture") : <Snippet source={source} />}
      </Text>
    </>
  );
}

function Snippet({ source: { snippet, sentence } }: { source: Placed }) {
  const characters = readableCharacters(snippet);
  if (!sentence) return characters.join("");
  const { start, end } = sentence;
  return (
    <>
      {characters.slice(0, start).join("")}
      <mark>{characters.slice(start, end).join("")}</mark>
      {characters.slice(end).join("")}
    </>
  );
}
