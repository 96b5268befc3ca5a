import { Stack, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DocumentsSearch } from "./documents-search";
import { FilterButton } from "./filter-menu";

interface DateFilterProps {
  search: DocumentsSearch;
  onChange: (change: { from?: string | undefined; to?: string | undefined }) => void;
}

/** When documents were added: from a day, up to and including another. */
export function DateFilter({ search, onChange }: DateFilterProps) {
  const { t } = useTranslation();
  const count = (search.from ? 1 : 0) + (search.to ? 1 : 0);
  return (
    <FilterButton label={t("documents.filter.added")} count={count} width={220}>
      <Stack gap="xs">
        <TextInput
          type="date"
          size="sm"
          label={t("documents.filter.from")}
          max={search.to}
          value={search.from ?? ""}
          onChange={(event) => onChange({ from: event.currentTarget.value || undefined })}
        />
        <TextInput
          type="date"
          size="sm"
          label={t("documents.filter.to")}
          min={search.from}
          value={search.to ?? ""}
          onChange={(event) => onChange({ to: event.currentTarget.value || undefined })}
        />
      </Stack>
    </FilterButton>
  );
}
