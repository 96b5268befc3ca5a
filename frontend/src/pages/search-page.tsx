import { Box, Button, Collapse, Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure } from "@mantine/hooks";
import { IconAdjustments, IconSearch } from "@tabler/icons-react";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CoverageNote, FailureCounts, NearestNote } from "@/features/search/coverage-note";
import { FoundAnnouncement, FoundCount } from "@/features/search/found-count";
import { groupSizes } from "@/features/search/hit/groups";
import { HitCard } from "@/features/search/hit/hit-card";
import { hitLink } from "@/features/search/hit/hit-link";
import { LibraryExamples } from "@/features/search/library-examples";
import { missingFigures } from "@/features/search/missing-figures";
import { NoHits } from "@/features/search/no-hits";
import { NoteHits } from "@/features/search/note-hits";
import { SearchFilters } from "@/features/search/search-filters";
import { countFilters, type SearchUrl, toRequest } from "@/features/search/search-url";
import { type Hit, useSearch } from "@/features/search/use-search";
import { WhyForm } from "@/features/search/why-form";
import type { Changes } from "@/lib/search-params";
import { PageHeading } from "@/shared/page-head";
import { usePageTitle } from "@/shared/page-title";
import { EmptyState, ErrorState, LoadingState, PlainList } from "@/shared/states";

const route = getRouteApi("/search");
const TYPING_PAUSE_MS = 300;
/** The hits and their pictures come first. */
const PRELOAD_AFTER_MS = 300;

export function SearchPage() {
  const { t } = useTranslation();
  const url = route.useSearch();
  const navigate = route.useNavigate();
  const [words, setWords] = useState(url.q ?? "");
  const filterCount = countFilters(url);
  usePageTitle(t("nav.search"), url.q);
  const [hasFilters, { toggle }] = useDisclosure(filterCount > 0);

  const change = (values: Changes<SearchUrl>) =>
    void navigate({ search: (old) => ({ ...old, ...values }) as SearchUrl, replace: true });
  const sent = useRef(url.q);
  const submit = (typed: string) => {
    sent.current = typed.trim() || undefined;
    change({ q: sent.current });
  };
  const submitLater = useDebouncedCallback(submit, TYPING_PAUSE_MS);
  // the address may change (back, a link): the field follows, but not while its own words are being sent
  useEffect(() => {
    if (url.q !== sent.current) {
      sent.current = url.q;
      setWords(url.q ?? "");
    }
  }, [url.q]);

  return (
    <Stack maw={920} gap="md">
      <PageHeading>{t("search.title")}</PageHeading>
      <search>
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <TextInput
            flex={1}
            size="md"
            type="search"
            aria-label={t("search.query")}
            placeholder={t("search.placeholder")}
            leftSection={<IconSearch size={18} aria-hidden />}
            value={words}
            onChange={(event) => {
              setWords(event.currentTarget.value);
              submitLater(event.currentTarget.value);
            }}
            onKeyDown={(event) => event.key === "Enter" && submit(words)}
            autoFocus
          />
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
        <Collapse expanded={hasFilters} mt="sm">
          <SearchFilters url={url} onChange={change} />
        </Collapse>
      </search>
      <FoundAnnouncement url={url} />
      <Results url={url} onChange={change} />
    </Stack>
  );
}

function Results({ url, onChange }: { url: SearchUrl; onChange: (change: Partial<SearchUrl>) => void }) {
  const { t } = useTranslation();
  const { data, error, isFetching, isPlaceholderData, refetch, ...nearest } = useSearch(url);
  usePreloadedReader(data?.data[0], url);
  if (!url.q) {
    const examples = <LibraryExamples to="/search" toWords={({ heading }) => heading} />;
    return (
      <EmptyState title={t("search.startTitle")} action={examples}>
        {t("search.startText")}
      </EmptyState>
    );
  }
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const request = toRequest(url, url.q);
  const sizes = groupSizes(data?.data ?? []);
  const hasFilters = countFilters(url) > 0;
  const isEmptyLibrary = !hasFilters && data?.metadata.coverage.documents_searched === 0;
  return (
    <>
      <NoteHits query={url.q} />
      {!data ? (
        <LoadingState rows={3} />
      ) : (
        <div aria-busy={isFetching} style={{ opacity: isPlaceholderData ? 0.6 : 1 }}>
          <Group gap="md">
            <FoundCount hits={data.data} isHybrid={request.hybrid} />
            <FailureCounts coverage={data.metadata.coverage} />
          </Group>
          {nearest.nearestError ? (
            <NearestNote
              error={nearest.nearestError}
              isFetching={nearest.isNearestFetching}
              onRetry={() => void nearest.refetchNearest()}
            />
          ) : null}
          <MissingFigures query={url.q} hits={isPlaceholderData ? [] : data.data} />
          <CoverageNote coverage={data.metadata.coverage} response={data} />
          {data.data.length === 0 ? (
            <NoHits isEmptyLibrary={isEmptyLibrary} hasFilters={hasFilters} />
          ) : (
            <PlainList component="ol" mt="sm">
              {data.data.map((hit, index) => (
                <HitCard
                  key={hit.chunk_id}
                  hit={hit}
                  position={index + 1}
                  groupSize={sizes[index] ?? 1}
                  results={url}
                  request={request}
                />
              ))}
            </PlainList>
          )}
          <Expectation key={url.q}>
            <WhyForm request={request} onChange={onChange} />
          </Expectation>
        </div>
      )}
    </>
  );
}

/** Load the reader, and the document of the first hit in it, before a hit is opened. */
function usePreloadedReader(first: Hit | undefined, results: SearchUrl) {
  const router = useRouter();
  const preload = useEffectEvent(() => first && void router.preloadRoute(hitLink(first, 1, results)));
  const hasHits = first !== undefined;
  useEffect(() => {
    if (!hasHits) return;
    const timer = setTimeout(preload, PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [hasHits]);
}

/** Say which figures and identifiers are in none of the passages. The headline over what is only near. */
function MissingFigures({ query, hits }: { query: string; hits: readonly Hit[] }) {
  const { t } = useTranslation();
  const figures = missingFigures(query, hits);
  if (figures.length === 0) return null;
  return (
    <Text fz="lg" fw={500} mt="xs" role="status">
      {t("notes:nowhere", { count: figures.length, figures: figures.map((figure) => `“${figure}”`).join(", ") })}
    </Text>
  );
}

function Expectation({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <Box mt="lg">
      <Button variant="subtle" size="sm" onClick={toggle} aria-expanded={isOpen}>
        {t("why.title")}
      </Button>
      {isOpen ? (
        <Paper withBorder p="md" mt="xs">
          {children}
        </Paper>
      ) : null}
    </Box>
  );
}
