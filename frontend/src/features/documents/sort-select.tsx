import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { SORTS, type Sort } from "./documents-search";

interface SortSelectProps {
  value: Sort | undefined;
  onChange: (sort: Sort) => void;
}

/** The order of the list where there are no column heads to click. */
export function SortSelect({ value, onChange }: SortSelectProps) {
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
