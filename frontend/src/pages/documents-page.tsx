import { Button, Group } from "@mantine/core";
import { IconFileSearch } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, Suspense, useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useCollections } from "@/features/collections/use-collections";
import {
  asView,
  changed,
  countConditions,
  DEFAULT_PAGE_SIZE,
  type DocumentsSearch,
  toFilter,
  withoutConditions,
} from "@/features/documents/documents-search";
import { ActiveFilters } from "@/features/documents/filters/active-filters";
import { FiltersBar, type SearchChange } from "@/features/documents/filters/filters-bar";
import { ViewsMenu } from "@/features/documents/filters/views-menu";
import { BulkBar } from "@/features/documents/list/bulk-bar";
import { DocumentCards } from "@/features/documents/list/document-cards";
import { DocumentsTable } from "@/features/documents/list/documents-table";
import { LayoutButton } from "@/features/documents/list/layout-button";
import { ListKeys } from "@/features/documents/list/list-keys";
import { layout } from "@/features/documents/list/list-layout";
import { PagesBar, useCursorPages } from "@/features/documents/list/pages-bar";
import { useSelection } from "@/features/documents/list/use-selection";
import { peekedId } from "@/features/documents/peek/peeked-id";
import type { Document } from "@/features/documents/status/document-status";
import { useDocuments, useLibraryTotal } from "@/features/documents/use-documents";
import { FirstRun } from "@/features/first-run/first-run";
import { useMe } from "@/features/session/use-session";
import { UploadButton } from "@/features/uploads/dialog/upload-button";
import { ApiProblem } from "@/lib/api/problem";
import { lazyCode } from "@/lib/load-code";
import { LinkButton } from "@/shared/link-button";
import { PageHead } from "@/shared/page-head";
import { EmptyState, ErrorState, LoadingState } from "@/shared/states";
import { useIsPhone } from "@/shared/use-is-phone";
import styles from "./documents-page.module.css";

const route = getRouteApi("/documents");
const DocumentsGrid = lazyCode(async () => ({
  default: (await import("@/features/documents/list/documents-grid")).DocumentsGrid,
}));
const PeekPanel = lazyCode(async () => ({
  default: (await import("@/features/documents/peek/peek-panel")).PeekPanel,
}));

export function DocumentsPage() {
  const { me } = useMe();
  // Without the place in the list: turning a page must not draw the filters anew.
  const view = route.useSearch({ select: asView, structuralSharing: true });
  const navigate = route.useNavigate();
  const change = useCallback(
    (part: SearchChange) => void navigate({ search: (before) => changed(before, part) }),
    [navigate],
  );
  const clear = useCallback(() => void navigate({ search: withoutConditions }), [navigate]);
  const open = (saved: DocumentsSearch) => void navigate({ search: changed(withoutConditions(view), saved) });
  return (
    <>
      <Head>
        <LayoutButton />
        <ViewsMenu userId={me?.id ?? ""} search={view} onOpen={open} />
        {me?.can_write ? <UploadButton /> : null}
      </Head>
      <UnlessEmpty>
        <FiltersBar search={view} onChange={change} />
      </UnlessEmpty>
      <ActiveFilters search={view} onChange={change} onClear={clear} />
      <List onChange={change} onClear={clear} />
    </>
  );
}

function Head({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { data } = useDocuments(route.useSearch());
  return (
    <PageHead title={t("nav.documents")} count={data?.total}>
      <UnlessEmpty>{children}</UnlessEmpty>
    </PageHead>
  );
}

/** In an empty library there is nothing to narrow or to keep as a view: the list says how to begin. */
function UnlessEmpty({ children }: { children: ReactNode }) {
  const search = route.useSearch();
  const { data, isPlaceholderData } = useDocuments(search);
  return data?.total === 0 && !isPlaceholderData && countConditions(search) === 0 ? null : children;
}

interface ListProps {
  onChange: (part: SearchChange) => void;
  onClear: () => void;
}

function List({ onChange, onClear }: ListProps) {
  const { t } = useTranslation();
  const { me } = useMe();
  const search = route.useSearch();
  const isPhone = useIsPhone();
  const isGrid = layout.use() === "grid";
  const { data, error, isPlaceholderData, refetch } = useDocuments(search);
  // what a person may do with a document makes its card higher
  const isHeightKnown = !useCollections().isPending || !isPhone;
  const navigate = route.useNavigate();
  const pages = useCursorPages(
    search,
    (place, state) => void navigate({ search: { ...asView(search), ...place }, state }),
  );
  const selection = useSelection(JSON.stringify(toFilter(search)));
  const hasConditions = countConditions(search) > 0;
  const isEmpty = data?.items.length === 0;
  const libraryTotal = useLibraryTotal(isEmpty && hasConditions);
  if (error && !data) {
    const gone = goneFilterOf(error);
    if (gone) return <GoneFilter {...gone} onClear={onClear} />;
    return (
      <>
        <ErrorState error={error} onRetry={() => void refetch()} />
        {hasConditions || search.cursor ? (
          <Button variant="default" onClick={onClear}>
            {t("documents.filter.clear")}
          </Button>
        ) : null}
      </>
    );
  }
  if (!data || !isHeightKnown) return <LoadingState rows={8} />;
  if (isEmpty && !isPlaceholderData) {
    if (search.cursor) return <EmptyPage onFirst={pages.first} />;
    if (hasConditions && libraryTotal !== 0) return <NothingMatches search={search} onClear={onClear} />;
    return me ? <FirstRun me={me} upload={<UploadButton />} /> : null;
  }
  const isEmptySelection = !selection.isAll && selection.documents.length === 0;
  return (
    <WithPeek documents={data.items}>
      <ListKeys documents={data.items} selection={selection} search={search} />
      {isGrid ? (
        <Suspense fallback={<LoadingState rows={8} />}>
          <DocumentsGrid documents={data.items} selection={selection} isFetching={isPlaceholderData} />
        </Suspense>
      ) : isPhone ? (
        <DocumentCards documents={data.items} selection={selection} isFetching={isPlaceholderData} />
      ) : (
        <DocumentsTable
          documents={data.items}
          sort={search.sort}
          onSort={(sort) => onChange({ sort })}
          selection={selection}
          isFetching={isPlaceholderData}
        />
      )}
      <PagesBar
        page={pages.page}
        size={search.limit ?? DEFAULT_PAGE_SIZE}
        shown={data.items.length}
        total={data.total}
        hasNext={Boolean(data.next_cursor)}
        onNext={() => data.next_cursor && pages.next(data.next_cursor)}
        onPrevious={pages.previous}
        onSize={(limit) => onChange({ limit })}
      />
      {isEmptySelection ? null : (
        <BulkBar selection={selection} search={search} total={data.total} documents={data.items} />
      )}
    </WithPeek>
  );
}

/** The list, and beside it the document that somebody peeks at. */
function WithPeek({ documents, children }: { documents: Document[]; children: ReactNode }) {
  const id = peekedId.use();
  const document = documents.find((one) => one.id === id);
  return (
    <div className={document ? styles.withPeek : undefined}>
      <div>{children}</div>
      {document ? (
        <Suspense fallback={<div />}>
          <PeekPanel document={document} />
        </Suspense>
      ) : null}
    </div>
  );
}

interface Gone {
  kind: "tag" | "collection";
  names: string;
}

/** Return what a filter names that does not exist. */
function goneFilterOf(error: unknown): Gone | undefined {
  if (!(error instanceof ApiProblem) || !Array.isArray(error.details.unknown)) return undefined;
  const names = error.details.unknown.join(", ");
  if (error.code === "unknown_tag") return { kind: "tag", names };
  return error.code === "unknown_collection" ? { kind: "collection", names } : undefined;
}

function GoneFilter({ kind, names, onClear }: Gone & { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t(`documents.gone.${kind}`, { names })}
      icon={<IconFileSearch size={44} stroke={1.2} aria-hidden />}
      action={
        <Button variant="default" onClick={onClear}>
          {t("documents.filter.clear")}
        </Button>
      }
    >
      {t("documents.gone.text")}
    </EmptyState>
  );
}

function NothingMatches({ search, onClear }: { search: DocumentsSearch; onClear: () => void }) {
  const { t } = useTranslation();
  const { q } = search;
  const isNameOnly = q !== undefined && countConditions(search) === 1;
  return (
    <EmptyState
      title={t("documents.nothing.title")}
      icon={<IconFileSearch size={44} stroke={1.2} aria-hidden />}
      action={
        <Group gap="xs" justify="center">
          {q ? (
            <LinkButton variant="default" to="/search" search={{ q }}>
              {t("palette.searchFor", { query: q })}
            </LinkButton>
          ) : null}
          <Button variant="default" onClick={onClear}>
            {t("documents.filter.clear")}
          </Button>
        </Group>
      }
    >
      {t(isNameOnly ? "documents.nothing.names" : "documents.nothing.text")}
    </EmptyState>
  );
}

function EmptyPage({ onFirst }: { onFirst: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t("documents.emptyPage.title")}
      action={
        <Button variant="default" onClick={onFirst}>
          {t("documents.emptyPage.first")}
        </Button>
      }
    />
  );
}
