import { MultiSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";

const PAUSE_MS = 200;
const MOST = 30;

interface DocumentPickerProps {
  value: string[];
  onChange: (ids: string[]) => void;
  /** The placeholder while no document is chosen. */
  placeholder?: string;
  label?: string;
}

/** Documents by typing part of their name: the server looks, since a library may have more than fit in a list. */
export function DocumentPicker({ value, onChange, placeholder = "", label }: DocumentPickerProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [sent] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const query = { limit: MOST, sort: "filename" as const, ...(sent ? { q: sent } : {}) };
  const found = $api.useQuery("get", "/api/v1/documents", { params: { query } }, { placeholderData: keepPreviousData });
  // Documents of the address may be anywhere in the library: fetch their names one by one.
  const chosen = useQueries({
    queries: value.map((id) =>
      $api.queryOptions("get", "/api/v1/documents/{document_id}", { params: { path: { document_id: id } } }),
    ),
  });
  const chosenNames = chosen.map((query) => query.data?.filename);
  const known = chosenNames.join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names stand for the queries
  const data = useMemo(() => {
    const names = new Map(value.map((id, index) => [id, chosenNames[index] ?? id]));
    for (const document of found.data?.items ?? []) names.set(document.id, document.filename);
    return [...names].map(([id, label]) => ({ value: id, label }));
  }, [value, known, found.data]);
  return (
    <MultiSelect
      label={label ?? t("search.documents")}
      placeholder={value.length === 0 ? placeholder : ""}
      data={data}
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has filtered already, by titles too.
      filter={({ options }) => options}
      nothingFoundMessage={t("search.noDocument")}
      searchable
      clearable
      hidePickedOptions
      limit={MOST}
    />
  );
}
