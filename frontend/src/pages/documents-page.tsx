import { Button, Group, Text, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ActiveFilters } from "@/features/documents/active-filters";
import { BulkBar } from "@/features/documents/bulk-bar";
import { DocumentCards } from "@/features/documents/document-cards";
import { EmptyLibrary, EmptyPage, NothingMatches } from "@/features/documents/documents-empty";
import {
  asView,
  changed,
  countConditions,
  DEFAULT_PAGE_SIZE,
  toFilter,
  withoutConditions,
} from "@/features/documents/documents-search";
import { DocumentsTable } from "@/features/documents/documents-table";
import { FiltersBar, PHONE, type SearchChange } from "@/features/documents/filters-bar";
import { PagesBar } from "@/features/documents/pages-bar";
import { useCursorPages } from "@/features/documents/use-cursor-pages";
import { useDocuments, useLibraryTotal } from "@/features/documents/use-documents";
import { useSelection } from "@/features/documents/use-selection";
import { ViewsMenu } from "@/features/documents/views-menu";
import { useMe } from "@/features/session/use-session";
import { UploadButton } from "@/features/uploads/upload-button";
import { formatNumber } from "@/lib/format";
import { ErrorState, LoadingState } from "@/shared/states";

const route = getRouteApi("/documents");

export function DocumentsPage() {
  const { t } = useTranslation();
  const { me } = useMe();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const documents = useDocuments(search);
  const change = (part: SearchChange) => void navigate({ search: changed(search, part) });
  const clear = () => void navigate({ search: withoutConditions(search) });
  const total = documents.data?.total;
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Group gap="sm" align="baseline">
          <Title order={1}>{t("nav.documents")}</Title>
          {total === undefined ? null : <Text c="dimmed">{formatNumber(total)}</Text>}
        </Group>
        {me?.can_write ? <UploadButton /> : null}
      </Group>
      <FiltersBar
        search={search}
        onChange={change}
        views={
          <ViewsMenu
            userId={me?.id ?? ""}
            search={search}
            onOpen={(view) => void navigate({ search: changed(withoutConditions(search), view) })}
          />
        }
      />
      <ActiveFilters search={search} onChange={change} onClear={clear} />
      <List onChange={change} onClear={clear} />
    </>
  );
}

function List({ onChange, onClear }: { onChange: (part: SearchChange) => void; onClear: () => void }) {
  const { t } = useTranslation();
  const search = route.useSearch();
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  const { data, error, isPlaceholderData, refetch } = useDocuments(search);
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
  if (!data) return <LoadingState rows={8} />;
  if (isEmpty && !isPlaceholderData) {
    if (search.cursor) return <EmptyPage onFirst={pages.first} />;
    if (hasConditions && libraryTotal !== 0) return <NothingMatches onClear={onClear} />;
    return <EmptyLibrary action={<UploadButton />} />;
  }
  return (
    <>
      {isPhone ? (
        <DocumentCards documents={data.items} selection={selection} />
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
      <BulkBar selection={selection} search={search} total={data.total} pageSize={data.items.length} />
    </>
  );
}
