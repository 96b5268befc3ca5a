import { MultiSelect, NumberInput, Select, SimpleGrid, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useCollections } from "@/features/collections/use-collections";
import { LANGUAGES } from "@/features/documents/documents-search";
import { TagPicker } from "@/features/tags/tag-picker";
import { languageName } from "@/lib/format";
import type { Changes } from "@/lib/search-params";
import { DayRange } from "@/shared/day-range";
import { DocumentPicker } from "./document-picker";
import { DEFAULT_TOP_K, type SearchUrl } from "./search-url";

const TAG_FILTERS = [
  { name: "tags", label: "search.anyTag" },
  { name: "all", label: "search.allTags" },
  { name: "not", label: "search.notTag" },
] as const;

interface SearchFiltersProps {
  url: SearchUrl;
  onChange: (change: Changes<SearchUrl>) => void;
  /** Answers have no options for ranking and number of passages. */
  isForAnswers?: boolean;
}

/** Filters with what exists in the caller's scope; every change goes to the address. */
export function SearchFilters({ url, onChange, isForAnswers = false }: SearchFiltersProps) {
  const { t } = useTranslation();
  const collections = useCollections();
  const listOrNone = (values: string[]) => (values.length > 0 ? values : undefined);
  return (
    <SimpleGrid type="container" cols={{ base: 1, "350px": 2, "720px": 3 }} spacing="sm" style={{ alignItems: "end" }}>
      {TAG_FILTERS.map(({ name, label }) => (
        <TagPicker
          key={name}
          label={t(label)}
          value={url[name] ?? []}
          onChange={(values) => onChange({ [name]: listOrNone(values) })}
          canCreate={false}
          clearable
        />
      ))}
      <DocumentPicker value={url.documents ?? []} onChange={(values) => onChange({ documents: listOrNone(values) })} />
      <MultiSelect
        label={t("search.collections")}
        data={collections.data?.map((item) => item.name) ?? []}
        value={url.collections ?? []}
        onChange={(values) => onChange({ collections: listOrNone(values) })}
        searchable
        clearable
      />
      <Select
        label={t("search.language")}
        data={LANGUAGES.map((code) => ({ value: code, label: languageName(code) }))}
        value={url.language ?? null}
        onChange={(value) => onChange({ language: value ?? undefined })}
        clearable
      />
      <DayRange range={url} labels={{ from: t("search.from"), to: t("search.to") }} onChange={onChange} />
      {isForAnswers ? null : (
        <>
          <NumberInput
            label={t("search.topK")}
            min={1}
            max={20}
            value={url.k ?? DEFAULT_TOP_K}
            onChange={(value) =>
              onChange({ k: typeof value === "number" && value !== DEFAULT_TOP_K ? value : undefined })
            }
          />
          <Switch
            label={t("search.hybrid")}
            description={t("search.hybridHint")}
            checked={!url.semanticOnly}
            onChange={(event) => onChange({ semanticOnly: event.currentTarget.checked ? undefined : true })}
          />
        </>
      )}
    </SimpleGrid>
  );
}
