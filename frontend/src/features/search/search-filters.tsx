import { MultiSelect, NumberInput, Select, SimpleGrid, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";
import { DEFAULT_TOP_K, type SearchUrl } from "./search-url";

const LANGUAGES = ["en", "it", "de", "fr", "es", "pt", "nl"];

interface SearchFiltersProps {
  url: SearchUrl;
  onChange: (change: Partial<{ [K in keyof SearchUrl]: SearchUrl[K] | undefined }>) => void;
}

/** Filters with what exists in the caller's scope; every change goes to the address. */
export function SearchFilters({ url, onChange }: SearchFiltersProps) {
  const { t, i18n } = useTranslation();
  const tags = $api.useQuery("get", "/api/v1/tags", { params: { query: { limit: 200 } } });
  const collections = $api.useQuery("get", "/api/v1/collections", { params: { query: { limit: 200 } } });
  const documents = $api.useQuery("get", "/api/v1/documents", {
    params: { query: { limit: 200, sort: "filename" } },
  });
  const names = new Intl.DisplayNames([i18n.language], { type: "language" });
  const tagNames = tags.data?.items.map((tag) => tag.name) ?? [];
  const listOrNone = (values: string[]) => (values.length > 0 ? values : undefined);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
      <MultiSelect
        label={t("search.anyTag")}
        data={tagNames}
        value={url.tags ?? []}
        onChange={(values) => onChange({ tags: listOrNone(values) })}
        searchable
        clearable
      />
      <MultiSelect
        label={t("search.notTag")}
        data={tagNames}
        value={url.not ?? []}
        onChange={(values) => onChange({ not: listOrNone(values) })}
        searchable
        clearable
      />
      <MultiSelect
        label={t("search.documents")}
        data={(documents.data?.items ?? []).map((item) => ({ value: item.id, label: item.filename }))}
        value={url.documents ?? []}
        onChange={(values) => onChange({ documents: listOrNone(values) })}
        searchable
        clearable
        limit={50}
      />
      <MultiSelect
        label={t("search.collections")}
        data={collections.data?.items.map((item) => item.name) ?? []}
        value={url.collections ?? []}
        onChange={(values) => onChange({ collections: listOrNone(values) })}
        searchable
        clearable
      />
      <Select
        label={t("search.language")}
        data={LANGUAGES.map((code) => ({ value: code, label: names.of(code) ?? code }))}
        value={url.language ?? null}
        onChange={(value) => onChange({ language: value ?? undefined })}
        clearable
      />
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
    </SimpleGrid>
  );
}
