import { Box, Stack, Table, Text, Tooltip, UnstyledButton } from "@mantine/core";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { useIsPhone } from "@/shared/use-is-phone";
import type { Citation, Sentence } from "./answer-stream";
import styles from "./ask.module.css";
import { Place } from "./citation-list";

type CitedTable = NonNullable<Citation["table"]>;

interface Part {
  table: CitedTable | null;
  sentences: Sentence[];
}

interface AnswerTextProps {
  sentences: Sentence[];
  citations: Citation[];
  selected: number | undefined;
  onSelect: (number: number) => void;
}

/** The sentences of an answer, table rows as tables. The number behind each opens its citation. */
export function AnswerText({ sentences, citations, selected, onSelect }: AnswerTextProps) {
  const numbers = (sentence: Sentence) =>
    sentence.citations.map((number) => (
      <CitationNumber
        key={number}
        number={number}
        citation={citations.find((one) => one.number === number)}
        isSelected={number === selected}
        onSelect={onSelect}
      />
    ));
  return (
    <Stack gap="sm">
      {splitByTables(sentences, citations).map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sentences are only added at the end
        <Fragment key={place}>
          {part.table ? (
            <CitedRows table={part.table} numbers={part.sentences.flatMap(numbers)} />
          ) : (
            <Text component="p" m={0} lh={1.7} style={{ whiteSpace: "pre-line" }}>
              {part.sentences.map((sentence, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: sentences are only added at the end
                <Fragment key={index}>
                  {index > 0 ? " " : ""}
                  <NumberedSentence text={sentence.text} numbers={numbers(sentence)} />
                </Fragment>
              ))}
            </Text>
          )}
        </Fragment>
      ))}
    </Stack>
  );
}

const LAST_WORD = /\S{1,24}$/;

/** A sentence and its numbers, which are on the line of its last word. */
function NumberedSentence({ text, numbers }: { text: string; numbers: React.ReactNode[] }) {
  const last = LAST_WORD.exec(text)?.[0] ?? "";
  return (
    <>
      {text.slice(0, text.length - last.length)}
      <span style={{ whiteSpace: "nowrap" }}>
        {last}
        {numbers}
      </span>
    </>
  );
}

/** Split an answer into paragraphs and table rows. Rows below the same header are one table. */
export function splitByTables(sentences: Sentence[], citations: Citation[]): Part[] {
  const parts: Part[] = [];
  for (const sentence of sentences) {
    const [only, ...others] = citations.filter(({ number }) => sentence.citations.includes(number));
    const table = others.length === 0 && only?.table && isQuoted(only.table, sentence.text) ? only.table : null;
    const before = parts.at(-1);
    if (!before || !haveSameHeader(before.table, table)) {
      parts.push({ table, sentences: [sentence] });
      continue;
    }
    before.sentences.push(sentence);
    if (before.table && table) before.table = { ...before.table, rows: [...before.table.rows, ...table.rows] };
  }
  return parts;
}

/** A chat endpoint says a row in words of its own, which are kept. */
const isQuoted = ({ rows }: CitedTable, text: string) => lettersOf(text).endsWith(lettersOf(rows.flat().join("")));

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, "");

const haveSameHeader = (one: CitedTable | null, other: CitedTable | null) =>
  one && other ? one.header.join("|") === other.header.join("|") : one === other;

/** Below these limits all columns of a table are in sight. The width counts the longest word of each column. */
const IN_SIGHT = { phone: { columns: 3, characters: 44 }, desktop: { columns: 6, characters: 48 } } as const;
const PADDING = 3; // characters
const MAX_TURNED_ROWS = 3;

/** A few rows that are too wide are shown with a column each, so that the value asked for is in sight. */
function CitedRows({ table, numbers }: { table: CitedTable; numbers: React.ReactNode[] }) {
  const limit = IN_SIGHT[useIsPhone() ? "phone" : "desktop"];
  const isTooWide = minimumWidth(table) > limit.characters;
  const isList = table.rows.length === 1 && table.header.length > limit.columns;
  if (isList || (isTooWide && table.rows.length <= MAX_TURNED_ROWS)) {
    return <TurnedTable table={table} numbers={numbers} />;
  }
  return <RowTable table={table} numbers={numbers} />;
}

/** The width of a table in characters if each line of its cells has one word. */
function minimumWidth({ header, rows }: CitedTable) {
  const longestWord = (text: string) => Math.max(...text.split(/\s+/).map((word) => word.length));
  const widths = header.map((name, column) =>
    Math.max(...[name, ...rows.map((row) => row[column] ?? "")].map(longestWord)),
  );
  return widths.reduce((sum, width) => sum + width + PADDING, PADDING);
}

/** Each value beside the name of its column, and below the name of its row. */
function TurnedTable({ table: { header, rows }, numbers }: { table: CitedTable; numbers: React.ReactNode[] }) {
  const hasOwnNumbers = rows.length === numbers.length;
  const isRight = rows.length > 1 && rows.every((row) => row.slice(1).every((cell) => FIGURE.test(cell)));
  return (
    <Table fz="sm" verticalSpacing={6}>
      <Table.Tbody>
        {header.map((name, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table do not move
          <Table.Tr key={column}>
            <Table.Th scope="row">{name}</Table.Th>
            {rows.map((row, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a table do not move
              <Table.Td key={place} ta={isRight ? "right" : "left"}>
                {row[column]}
                {column === 0 && (hasOwnNumbers ? numbers[place] : place === rows.length - 1 && numbers)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const FIGURE = /^[\p{Sc}\d\s.,%()+−-]+$/u;

function RowTable({ table: { header, rows }, numbers }: { table: CitedTable; numbers: React.ReactNode[] }) {
  const align = (column: number) => (rows.every((row) => FIGURE.test(row[column] ?? "")) ? "right" : "left");
  return (
    <Box style={{ overflowX: "auto" }}>
      <Table fz="sm" verticalSpacing={6} withRowBorders>
        <Table.Thead>
          <Table.Tr>
            {header.map((name, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table do not move
              <Table.Th key={column} ta={align(column)}>
                {name}
              </Table.Th>
            ))}
            <Table.Th className={styles.numbers ?? ""} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a table do not move
            <Table.Tr key={place}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table do not move
                <Table.Td key={column} ta={align(column)}>
                  {cell}
                </Table.Td>
              ))}
              <Table.Td className={styles.numbers ?? ""} w={0}>
                {rows.length === numbers.length ? numbers[place] : place === rows.length - 1 ? numbers : null}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

interface CitationNumberProps {
  number: number;
  citation: Citation | undefined;
  isSelected: boolean;
  onSelect: (number: number) => void;
}

/** A number that opens its citation. Pointing at it, or focusing it, shows the source and the quoted words. */
function CitationNumber({ number, citation, isSelected, onSelect }: CitationNumberProps) {
  const { t } = useTranslation();
  return (
    <Tooltip
      className={styles.card ?? ""}
      label={citation ? <Place source={citation} number={number} /> : null}
      disabled={!citation}
      multiline
      w={360}
      position="bottom"
      openDelay={120}
      events={{ hover: true, focus: true, touch: false }}
    >
      <UnstyledButton
        className={styles.number}
        aria-label={t("ask:openCitation", { number })}
        aria-pressed={isSelected}
        onClick={() => onSelect(number)}
      >
        {number}
      </UnstyledButton>
    </Tooltip>
  );
}
