import { Box, Button, Collapse, Group, NativeSelect, Stack } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCollections } from "@/features/collections/use-collections";
import {
  CONTENT_TYPES,
  countConditions,
  type DocumentsSearch,
  LANGUAGES,
  SORTS,
  type Sort,
  STATUSES,
  type Status,
} from "@/features/documents/documents-search";
import { layout } from "@/features/documents/list/list-layout";
import { typeName } from "@/features/documents/status/document-status";
import { formatNumber, languageName } from "@/lib/format";
import type { Changes } from "@/lib/search-params";
import { DayRange } from "@/shared/day-range";
import { useIsPhone } from "@/shared/use-is-phone";
import { FilterButton, FilterMenu } from "./filter-menu";
import { SearchInput } from "./search-input";
import { TagFilter } from "./tag-filter";

export type SearchChange = Changes<DocumentsSearch>;

interface FiltersBarProps {
  search: DocumentsSearch;
  onChange: (change: SearchChange) => void;
}

/** Everything that narrows the list; on a phone behind one button. */
export function FiltersBar({ search, onChange }: FiltersBarProps) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const isGrid = layout.use() === "grid";
  const [isOpen, setIsOpen] = useState(false);
  const count = countConditions(search) - (search.q ? 1 : 0);
  const input = (
    <SearchInput
      label={t("documents.filter.text")}
      value={search.q ?? ""}
      onChange={(q) => onChange({ q: q === "" ? undefined : q })}
    />
  );
  if (!isPhone) {
    return (
      <Group gap={6} mb={8}>
        <Box flex="1 1 220px" maw={320}>
          {input}
        </Box>
        <Conditions search={search} onChange={onChange} />
        {isGrid ? <SortSelect value={search.sort} onChange={(sort) => onChange({ sort })} /> : null}
      </Group>
    );
  }
  return (
    <Box mb="sm">
      <Group gap="xs" wrap="nowrap">
        <Box flex={1}>{input}</Box>
        <Button
          variant={count > 0 ? "light" : "default"}
          leftSection={<IconFilter size={16} aria-hidden />}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {t("documents.filter.title")}
          {count > 0 ? ` · ${formatNumber(count)}` : ""}
        </Button>
      </Group>
      <Collapse expanded={isOpen}>
        <Group gap="xs" mt="xs">
          <Conditions search={search} onChange={onChange} />
          <SortSelect value={search.sort} onChange={(sort) => onChange({ sort })} />
        </Group>
      </Collapse>
    </Box>
  );
}

function Conditions({ search, onChange }: FiltersBarProps) {
  const { t } = useTranslation();
  const collections = useCollections().data ?? [];
  return (
    <>
      <TagFilter search={search} onChange={onChange} />
      <FilterMenu
        label={t("documents.filter.collection")}
        options={collections.map(({ name, document_count }) => ({
          value: name,
          label: name,
          note: formatNumber(document_count),
        }))}
        value={search.collections ?? []}
        onChange={(value) => onChange({ collections: value })}
      />
      <FilterMenu
        label={t("documents.filter.status")}
        options={STATUSES.map((value) => ({ value, label: t(`documents.statusName.${value}`) }))}
        value={search.status ?? []}
        onChange={(value) => onChange({ status: value as Status[] })}
      />
      <FilterMenu
        label={t("documents.filter.type")}
        options={CONTENT_TYPES.map((value) => ({
          value,
          label: typeName(value, t),
        }))}
        value={search.types ?? []}
        onChange={(types) => onChange({ types })}
      />
      <FilterMenu
        label={t("documents.filter.language")}
        options={LANGUAGES.map((value) => ({ value, label: languageName(value) }))}
        value={search.languages ?? []}
        onChange={(languages) => onChange({ languages })}
      />
      <DateFilter search={search} onChange={onChange} />
    </>
  );
}

interface SortSelectProps {
  value: Sort | undefined;
  onChange: (sort: Sort) => void;
}

/** The order of the list where there are no column heads to click. */
function SortSelect({ value, onChange }: SortSelectProps) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      aria-label={t("documents.sort.label")}
      value={value ?? "-created_at"}
      data={SORTS.map((sort) => ({ value: sort, label: t(`documents.sort.${sort}`) }))}
      onChange={(event) => onChange(event.currentTarget.value as Sort)}
    />
  );
}

interface DateFilterProps {
  search: DocumentsSearch;
  onChange: (change: { from?: string | undefined; to?: string | undefined }) => void;
}

/** When documents were added: from a day, up to and including another. */
function DateFilter({ search, onChange }: DateFilterProps) {
  const { t } = useTranslation();
  const count = (search.from ? 1 : 0) + (search.to ? 1 : 0);
  return (
    <FilterButton label={t("documents.filter.added")} count={count} width={220}>
      <Stack gap="xs">
        <DayRange
          range={search}
          labels={{ from: t("documents.filter.from"), to: t("documents.filter.to") }}
          onChange={onChange}
        />
      </Stack>
    </FilterButton>
  );
}
