import { ActionIcon, Alert, Button, Group, Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp, IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FIND_FIELD_ID, type Finding, type FoundPlace, MOST_PLACES } from "@/features/document/use-finding";
import { formatNumber } from "@/lib/format";
import { CodeText } from "@/shared/code-text";
import { errorText } from "@/shared/notify";
import { TextLink } from "@/shared/text-link";
import styles from "./find-panel.module.css";

const PAUSE_MS = 250;

interface FindPanelProps {
  documentId: string;
  words: string | undefined;
  /** Start of the highlighted passage. */
  start: number | undefined;
  finding: Finding;
  /** Of the box that scrolls the matches. */
  className?: string | undefined;
  onWords: (words: string | undefined) => void;
  onSelect: (place: FoundPlace) => void;
}

/** Words looked for in one document: the places, one after another, as Ctrl-F does it. */
export function FindPanel({ documentId, words, start, finding, className, onWords, onSelect }: FindPanelProps) {
  const { t } = useTranslation();
  const { places, total, error, refetch } = finding;
  const at = places.findIndex((place) => place.char_start === start);
  const first = finding.isSettled ? places[0] : undefined;
  const showFirst = useEffectEvent(() => first && at < 0 && onSelect(first));
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words, once their places are known
  useEffect(() => void showFirst(), [words, first?.char_start]);
  const go = (step: 1 | -1) => {
    const place = places[at < 0 ? (step > 0 ? 0 : places.length - 1) : (at + step + places.length) % places.length];
    if (place) onSelect(place);
  };
  return (
    <Stack gap={4}>
      <FindField words={words} onWords={onWords} onStep={go}>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={t("find.previous")}
          disabled={places.length === 0}
          onClick={() => go(-1)}
        >
          <IconChevronUp size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={t("find.next")}
          disabled={places.length === 0}
          onClick={() => go(1)}
        >
          <IconChevronDown size={18} aria-hidden />
        </ActionIcon>
      </FindField>
      <Outcome documentId={documentId} words={words} total={total} at={at} />
      {error ? (
        <Alert color="red" role="alert">
          <CodeText text={errorText(error)} />{" "}
          <Button size="compact-xs" variant="default" onClick={refetch}>
            {t("actions.retry")}
          </Button>
        </Alert>
      ) : null}
      <div className={className}>
        <Places places={places} start={start} onSelect={onSelect} />
        {finding.hasMore ? (
          <Button variant="default" size="xs" loading={finding.isFetchingMore} onClick={finding.fetchMore}>
            {t("find.more")}
          </Button>
        ) : null}
      </div>
    </Stack>
  );
}

interface OutcomeProps extends Pick<FindPanelProps, "documentId" | "words"> {
  total: number | undefined;
  at: number;
}

/** How often the words occur, and the way on if they do not. */
function Outcome({ documentId, words, total, at }: OutcomeProps) {
  const { t } = useTranslation();
  const outcome = useRef<HTMLDivElement>(null);
  // on a phone the field is at the bottom of the window, and what is found below it
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words, once it is known how often they occur
  useEffect(() => {
    if (total === undefined || document.activeElement?.id !== FIND_FIELD_ID) return;
    outcome.current?.scrollIntoView({ block: "nearest" });
  }, [words, total]);
  const place = { at: at < 0 ? "–" : formatNumber(at + 1), total: formatNumber(total ?? 0) };
  const count = total === 0 ? t("find.none") : t((total ?? 0) >= MOST_PLACES ? "find.most" : "find.place", place);
  return (
    <div ref={outcome}>
      <Text size="sm" c="dimmed" role="status">
        {total === undefined ? null : count}
      </Text>
      {total === 0 ? (
        <Text size="sm" mt={4}>
          {t("find.noneHint")}{" "}
          <TextLink to="/search" search={{ ...(words ? { q: words } : {}), documents: [documentId] }}>
            {t("find.searchMeaning")}
          </TextLink>
        </Text>
      ) : null}
    </div>
  );
}

interface FindFieldProps {
  words: string | undefined;
  onWords: (words: string | undefined) => void;
  onStep: (step: 1 | -1) => void;
  children: ReactNode;
}

function FindField({ words, onWords, onStep, children }: FindFieldProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(words ?? "");
  const send = useDebouncedCallback((typed: string) => onWords(typed.trim() || undefined), PAUSE_MS);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (text.trim() !== (words ?? "")) onWords(text.trim() || undefined);
    else onStep(event.shiftKey ? -1 : 1);
  }

  return (
    <search>
      <Group gap={6} wrap="nowrap">
        <TextInput
          flex={1}
          type="search"
          id={FIND_FIELD_ID}
          aria-label={t("find.label")}
          placeholder={t("find.label")}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          maxLength={200}
          onChange={(event) => {
            setText(event.currentTarget.value);
            send(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
        />
        {children}
      </Group>
    </search>
  );
}

interface PlacesProps {
  places: FoundPlace[];
  start: number | undefined;
  onSelect: (place: FoundPlace) => void;
}

function Places({ places, start, onSelect }: PlacesProps) {
  const { t } = useTranslation();
  if (places.length === 0) return null;
  return (
    <ol className={styles.places} aria-label={t("find.results")}>
      {places.map((place) => (
        <li key={place.char_start}>
          <UnstyledButton
            className={styles.place}
            aria-current={place.char_start === start ? "true" : undefined}
            onClick={() => onSelect(place)}
          >
            <span className={styles.page}>{t("search.page", { page: place.page_number })}</span>
            <span>
              {place.before ? "…" : ""}
              {withoutRules(place.before)}
              <mark>{place.text}</mark>
              {withoutRules(place.after)}
              {place.after ? "…" : ""}
            </span>
          </UnstyledButton>
        </li>
      ))}
    </ol>
  );
}

/** Text around a place without the rules of tables: cells are parted by dots. */
const withoutRules = (text: string) => text.replaceAll(/\|?(?:\s*---\s*\|)+/g, "").replaceAll(/\s*[|\t][\s|]*/g, " · ");
