import { Button, CloseButton, Group, Paper, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCanWrite } from "@/features/collections/use-collections";
import { toFilter } from "@/features/documents/documents-search";
import { SearchInput } from "@/features/documents/filters/search-input";
import { focusLater } from "@/features/documents/list/list-focus";
import { PagesBar, useCursorPages } from "@/features/documents/list/pages-bar";
import { type BulkTarget, useBulk } from "@/features/documents/list/use-bulk";
import type { Document } from "@/features/documents/status/document-status";
import { TrashList } from "@/features/trash/trash-list";
import type { TrashSearch } from "@/features/trash/trash-search";
import { TRASH_PAGE, useTrash } from "@/features/trash/trash-search";
import { askBefore } from "@/shared/dialog";
import { PageHead } from "@/shared/page-head";
import { EmptyState, ErrorState, LoadingState } from "@/shared/states";

const route = getRouteApi("/trash");

export function TrashPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, isPlaceholderData } = useTrash(search);
  const isEmpty = data?.items.length === 0 && !isPlaceholderData;
  return (
    <>
      <PageHead title={t("nav.trash")} about={t("trash:about")} />
      {isEmpty && !search.q ? null : (
        <Group mb="sm" maw={360} style={{ display: "block" }}>
          <SearchInput
            label={t("documents.filter.text")}
            value={search.q ?? ""}
            onChange={(q) => void navigate({ search: q ? { q } : {} })}
          />
        </Group>
      )}
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <LoadingState rows={5} /> : null}
      {isEmpty ? (
        <EmptyState
          title={t(search.q ? "documents.nothing.title" : "trash:emptyTitle")}
          icon={<IconTrash size={44} stroke={1.2} aria-hidden />}
        >
          {search.q ? null : t("trash:emptyText")}
        </EmptyState>
      ) : null}
      {data && !isEmpty ? (
        <TrashContents key={search.q ?? ""} documents={data.items} page={data} search={search} />
      ) : null}
    </>
  );
}

interface TrashContentsProps {
  documents: Document[];
  page: { total: number; next_cursor?: string | null };
  search: TrashSearch;
}

function TrashContents({ documents, page, search }: TrashContentsProps) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const bulk = useBulk();
  const canWrite = useCanWrite()();
  const pages = useCursorPages(
    search,
    (place, state) => void navigate({ search: { ...(search.q ? { q: search.q } : {}), ...place }, state }),
  );
  const all: BulkTarget = { filter: { ...toFilter(search), is_deleted: true } };

  /** Run an action and focus the document after those that leave the list. */
  async function run(target: BulkTarget, action: "restore" | "purge", ids = documents.map(({ id }) => id)) {
    const moveFocus = focusLater(ids);
    setSelected(new Set());
    if (await bulk.run(target, { action })) moveFocus();
  }

  const restore = (ids: string[]) => void run({ ids }, "restore", ids);

  function purge(target: BulkTarget, ids?: string[]) {
    const count = ids?.length ?? page.total;
    askBefore({
      title: t("trash:purgeTitle", { count }),
      text: t("trash:purgeText"),
      action: t("trash:purge"),
      onConfirm: () => void run(target, "purge", ids),
    });
  }

  function toggle(id: string) {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  }

  return (
    <>
      {canWrite ? (
        <Paper withBorder p="xs" mb="xs" data-bulk>
          <Group gap="xs">
            {selected.size > 0 ? (
              <>
                <CloseButton aria-label={t("documents.bulk.clear")} onClick={() => setSelected(new Set())} />
                <Text size="sm" fw={600}>
                  {t("documents.bulk.selected", { count: selected.size, formatted: selected.size })}
                </Text>
                <Button size="xs" variant="default" onClick={() => restore([...selected])}>
                  {t("trash:restore")}
                </Button>
                <Button size="xs" variant="danger" onClick={() => purge({ ids: [...selected] }, [...selected])}>
                  {t("trash:purge")}
                </Button>
              </>
            ) : (
              <>
                <Button size="xs" variant="default" onClick={() => setSelected(new Set(documents.map(({ id }) => id)))}>
                  {t("documents.selectPage")}
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  c="var(--mantine-color-error)"
                  loading={bulk.isPending}
                  onClick={() => purge(all)}
                >
                  {t(search.q ? "trash:purgeFound" : "trash:empty", { count: page.total })}
                </Button>
              </>
            )}
          </Group>
        </Paper>
      ) : null}
      <TrashList
        documents={documents}
        selected={selected}
        onToggle={toggle}
        onRestore={(id) => restore([id])}
        onPurge={(id) => purge({ ids: [id] }, [id])}
      />
      <PagesBar
        page={pages.page}
        size={TRASH_PAGE}
        shown={documents.length}
        total={page.total}
        hasNext={Boolean(page.next_cursor)}
        onNext={() => page.next_cursor && pages.next(page.next_cursor)}
        onPrevious={pages.previous}
      />
    </>
  );
}
