import { Button, Collapse, Group, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustments, IconMessageQuestion, IconPlus } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AskUrl } from "@/features/ask/ask-url";
import { Conversation } from "@/features/ask/conversation";
import { ScopeChips } from "@/features/ask/scope-chips";
import { ThreadList } from "@/features/ask/thread-list";
import { scopeToUrl, useIsThreadGone, useThread, useThreads } from "@/features/ask/use-threads";
import type { Example } from "@/features/search/examples";
import { LibraryExamples, useExamples } from "@/features/search/library-examples";
import { SearchFilters } from "@/features/search/search-filters";
import { countFilters } from "@/features/search/search-url";
import type { Changes } from "@/lib/search-params";
import { PageHeading } from "@/shared/page-head";
import { usePageTitle } from "@/shared/page-title";
import { EmptyState, LoadingState } from "@/shared/states";

const route = getRouteApi("/ask");

export function AskPage() {
  const { t } = useTranslation();
  const url = route.useSearch();
  const navigate = route.useNavigate();
  const threadTitle = useThread(url.thread).data?.title;
  usePageTitle(t("nav.ask"), url.q ?? threadTitle);
  const change = (values: Changes<AskUrl>, replace = false) =>
    void navigate({ search: (old) => ({ ...old, ...values }) as AskUrl, replace, resetScroll: isNew(values) });
  // a question in a thread that is gone begins a new one
  const thread = useIsThreadGone(url.thread) ? undefined : url.thread;
  const ask = (question: string, asItIs?: true) => change({ q: question, asItIs, thread });
  useScopeOfThread(url, (scope) => change(scope, true));
  const isStart = !url.q && !url.thread;
  const composer = <Composer url={url} isFollowUp={Boolean(thread)} onChange={change} onAsk={ask} />;
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <PageHeading>{t("ask:title")}</PageHeading>
        {isStart ? null : (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => change({ q: undefined, thread: undefined, asItIs: undefined })}
          >
            {t("ask:newQuestion")}
          </Button>
        )}
      </Group>
      {isStart ? (
        <>
          {composer}
          <AskStart url={url} />
        </>
      ) : (
        <Conversation url={url} onChange={change} onAsk={ask} composer={composer} />
      )}
    </Stack>
  );
}

/** What to ask, and what was asked. The threads wait for the examples, which would move them. */
export function AskStart({ url }: { url: AskUrl }) {
  const { t } = useTranslation();
  const areKnown = useExamples() !== null;
  useThreads(); // load at the same time
  // an example is of any document, also of those that a filter leaves out
  const hasExamples = countFilters(url) === 0;
  return (
    <>
      <EmptyState
        title={t("ask:startTitle")}
        action={hasExamples ? <LibraryExamples to="/ask" toWords={(example) => questionOf(example, t)} /> : null}
      >
        {t("ask:startText")}
      </EmptyState>
      {areKnown || !hasExamples ? <ThreadList /> : <LoadingState rows={3} />}
    </>
  );
}

/** Return true if a change leaves the thread. A follow-up stays where the reader is. */
const isNew = (change: Changes<AskUrl>) => "thread" in change && !change.thread;

/** A heading that is a question is asked as it is. */
function questionOf({ title, heading }: Example, t: TFunction): string {
  return heading.endsWith("?") ? heading : t("ask:example", { title, heading });
}

/** Take the filters of a thread over, once, when it is opened without any. */
function useScopeOfThread(url: AskUrl, onScope: (scope: Changes<AskUrl>) => void) {
  const { data } = useThread(url.thread);
  const opened = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!url.thread || data?.id !== url.thread || opened.current === url.thread) return;
    opened.current = url.thread;
    const scope = scopeToUrl(data.scope);
    if (!url.q && countFilters(url) === 0 && countFilters(scope) > 0) onScope(scope);
  });
}

interface ComposerProps {
  url: AskUrl;
  isFollowUp: boolean;
  onChange: (change: Changes<AskUrl>) => void;
  onAsk: (question: string) => void;
}

/** The field of the next question, with what it is limited to. */
function Composer({ url, isFollowUp, onChange, onAsk }: ComposerProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const filterCount = countFilters(url);
  const [hasFilters, { toggle }] = useDisclosure(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!words.trim()) return;
    onAsk(words.trim());
    setWords("");
  };
  return (
    <search>
      <Stack gap="xs">
        <Group gap="xs" justify="space-between" align="flex-start">
          <ScopeChips url={url} onChange={onChange} />
          <Button
            size="compact-sm"
            variant="default"
            ms="auto"
            leftSection={<IconAdjustments size={14} aria-hidden />}
            onClick={toggle}
            aria-expanded={hasFilters}
          >
            {filterCount > 0 ? t("search.filtersCount", { count: filterCount }) : t("search.filters")}
          </Button>
        </Group>
        <form onSubmit={submit}>
          <Group align="flex-end" gap="sm" wrap="nowrap">
            <TextInput
              flex="1"
              size="md"
              aria-label={t("ask:question")}
              placeholder={t(isFollowUp ? "ask:followUp" : "ask:placeholder")}
              leftSection={<IconMessageQuestion size={18} aria-hidden />}
              value={words}
              onChange={(event) => setWords(event.currentTarget.value)}
              autoFocus
            />
            <Button size="md" type="submit">
              {t("ask:ask")}
            </Button>
          </Group>
        </form>
        <Collapse expanded={hasFilters}>
          <SearchFilters url={url} onChange={onChange} isForAnswers />
        </Collapse>
      </Stack>
    </search>
  );
}
