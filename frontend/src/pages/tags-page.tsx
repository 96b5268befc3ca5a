import { Box, Button, CloseButton, Group, NativeSelect, Paper, Text } from "@mantine/core";
import { IconPlus, IconTag } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { SearchInput } from "@/features/documents/filters/search-input";
import { useMe } from "@/features/session/use-session";
import { TagsList } from "@/features/tags/tags-list";
import { orderTags, TAG_SORTS, type TagSort } from "@/features/tags/tags-search";
import { useTagDialogs } from "@/features/tags/use-tag-dialogs";
import { type Tag, useTagsQuery } from "@/features/tags/use-tags";
import { formatNumber } from "@/lib/format";
import { PageHead } from "@/shared/page-head";
import { EmptyState, ErrorState, LoadingState } from "@/shared/states";

const route = getRouteApi("/tags");

export function TagsPage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useTagsQuery();
  const dialogs = useTagDialogs();
  const canWrite = useMe().me?.can_write ?? false;
  return (
    <>
      <PageHead title={t("nav.tags")} count={data?.size}>
        {canWrite ? (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => dialogs.edit()}>
            {t("tags.new")}
          </Button>
        ) : null}
      </PageHead>
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <LoadingState rows={6} /> : null}
      {data?.size === 0 ? (
        <EmptyState title={t("tags.noneYet")} icon={<IconTag size={44} stroke={1.2} aria-hidden />}>
          {t("tags.emptyText")}
        </EmptyState>
      ) : null}
      {data && data.size > 0 ? <Tags tags={data} canWrite={canWrite} /> : null}
    </>
  );
}

const STEP = 50;

function Tags({ tags, canWrite }: { tags: ReadonlyMap<string, Tag>; canWrite: boolean }) {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [shown, setShown] = useState(STEP);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // The rows are drawn when the keyboard leaves time for it.
  const wanted = useDeferredValue(search);
  const found = useMemo(() => orderTags(tags.values(), wanted), [tags, wanted]);
  const toggle = useCallback(
    (id: string) =>
      setSelected((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    [],
  );
  return (
    <>
      <Group gap="xs" mb="sm">
        <Box flex="1 1 200px" maw={{ xs: 320 }}>
          <SearchInput
            label={t("tags.find")}
            value={search.q ?? ""}
            onChange={(q) => {
              const { q: _, ...rest } = search;
              void navigate({ search: q ? { ...rest, q } : rest });
            }}
          />
        </Box>
        <NativeSelect
          flex={{ base: "1 1 100%", xs: "none" }}
          aria-label={t("documents.sort.label")}
          value={search.sort ?? "name"}
          data={TAG_SORTS.map((value) => ({ value, label: t(`tags.sort.${value}`) }))}
          onChange={(event) => void navigate({ search: { ...search, sort: event.currentTarget.value as TagSort } })}
        />
      </Group>
      <SelectedTags tags={found.filter(({ id }) => selected.has(id))} onClear={() => setSelected(new Set())} />
      <TagsList tags={found.slice(0, shown)} canWrite={canWrite} selected={selected} onToggle={toggle} />
      {found.length === 0 ? <EmptyState title={t("documents.filter.none")} /> : null}
      {found.length > shown ? (
        <Button mt="sm" variant="default" onClick={() => setShown(shown + STEP)}>
          {t("tags.showMore", { count: found.length - shown })}
        </Button>
      ) : null}
    </>
  );
}

function SelectedTags({ tags, onClear }: { tags: Tag[]; onClear: () => void }) {
  const { t } = useTranslation();
  const dialogs = useTagDialogs();
  if (tags.length === 0) return null;
  return (
    <Paper withBorder p="xs" mb="xs">
      <Group gap="xs">
        <CloseButton aria-label={t("documents.bulk.clear")} onClick={onClear} />
        <Text size="sm" fw={600} role="status">
          {t("documents.bulk.selected", { count: tags.length, formatted: formatNumber(tags.length) })}
        </Text>
        <Button size="xs" variant="default" disabled={tags.length < 2} onClick={() => dialogs.merge(tags, onClear)}>
          {t("tags.merge.title")}
        </Button>
        <Button size="xs" variant="danger" onClick={() => dialogs.askToRemove(tags, onClear)}>
          {t("actions.delete")}
        </Button>
      </Group>
    </Paper>
  );
}
