import { Button, Collapse, Group, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustments, IconMessageQuestion } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { AnswerPanel } from "@/features/ask/answer-panel";
import { NOTHING_YET } from "@/features/ask/answer-stream";
import styles from "@/features/ask/ask.module.css";
import { AskHistory } from "@/features/ask/ask-history";
import { type Place, placeOf } from "@/features/ask/place";
import { PlaceReader } from "@/features/ask/place-reader";
import { useAnswer } from "@/features/ask/use-answer";
import { SearchFilters } from "@/features/search/search-filters";
import { countFilters, type SearchUrl } from "@/features/search/search-url";
import type { Changes } from "@/lib/search-params";
import { PageHeading } from "@/shared/page-head";
import { EmptyState, ErrorState } from "@/shared/states";

const route = getRouteApi("/ask");

export function AskPage() {
  const { t } = useTranslation();
  const url = route.useSearch();
  const navigate = route.useNavigate();
  const [words, setWords] = useState(url.q ?? "");
  const filterCount = countFilters(url);
  const [hasFilters, { toggle }] = useDisclosure(filterCount > 0);
  useEffect(() => setWords(url.q ?? ""), [url.q]);

  const change = (values: Changes<SearchUrl>) =>
    void navigate({ search: (old) => ({ ...old, ...values }) as SearchUrl });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change({ q: words.trim() || undefined });
  };
  return (
    <Stack gap="md">
      <PageHeading>{t("ask:title")}</PageHeading>
      <search>
        <form onSubmit={submit}>
          <Group align="flex-end" gap="sm">
            <TextInput
              flex="1 1 16rem"
              size="md"
              aria-label={t("ask:question")}
              placeholder={t("ask:placeholder")}
              leftSection={<IconMessageQuestion size={18} aria-hidden />}
              value={words}
              onChange={(event) => setWords(event.currentTarget.value)}
              autoFocus
            />
            <Button size="md" type="submit">
              {t("ask:ask")}
            </Button>
            <Button
              size="md"
              variant="default"
              leftSection={<IconAdjustments size={18} aria-hidden />}
              onClick={toggle}
              aria-expanded={hasFilters}
            >
              {filterCount > 0 ? t("search.filtersCount", { count: filterCount }) : t("search.filters")}
            </Button>
          </Group>
        </form>
        <Collapse expanded={hasFilters} mt="sm">
          <SearchFilters url={url} onChange={change} isForAnswers />
        </Collapse>
      </search>
      <Answered key={JSON.stringify(url)} url={url} />
    </Stack>
  );
}

function Answered({ url }: { url: SearchUrl }) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useAnswer(url);
  const [chosen, setChosen] = useState<Place | null>(null);
  if (!url.q)
    return (
      <>
        <EmptyState title={t("ask:startTitle")}>{t("ask:startText")}</EmptyState>
        <AskHistory />
      </>
    );
  const answer = data ?? NOTHING_YET;
  const { outcome, nearest } = answer.response?.data ?? {};
  const first = answer.citations[0] ?? (outcome === "closest_passages" ? nearest?.[0] : undefined);
  const open = chosen ?? (first ? placeOf(first) : null);
  return (
    <>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      <div className={styles.columns} data-reads={open ? "" : undefined}>
        <AnswerPanel answer={answer} isAsking={isFetching} open={open} onOpen={setChosen} />
        {open ? (
          <PlaceReader
            key={`${open.documentId}`}
            place={open}
            onOpenPage={(pageNumber) => setChosen({ documentId: open.documentId, chunkId: open.chunkId, pageNumber })}
          />
        ) : null}
      </div>
    </>
  );
}
