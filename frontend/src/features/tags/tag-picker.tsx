import { Group, Pill, TagsInput, type TagsInputProps, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/lib/format";
import { TagChip } from "./tag-chip";
import { cssColor } from "./tag-colors";
import { type Tag, useTagMap } from "./use-tags";

interface TagPickerProps extends Omit<TagsInputProps, "data" | "value" | "onChange"> {
  value: string[];
  onChange: (names: string[]) => void;
  /** Allow new names. */
  canCreate?: boolean;
  /** The names to suggest, instead of all. */
  offered?: string[] | undefined;
}

/** Tags by typing: those that exist are suggested with their counts, new names become tags. */
export function TagPicker({ value, onChange, canCreate = true, offered, ...props }: TagPickerProps) {
  const { t } = useTranslation();
  const tags = useTagMap();
  const [search, setSearch] = useState("");
  const names = useMemo(() => [...tags.values()].map((tag) => tag.name), [tags]);
  const typed = search.trim();
  const isNew = typed !== "" && !tags.has(typed.toLowerCase());
  const accept = (next: string[]) => {
    const spelt = next.map((name) => tags.get(name.trim().toLowerCase())?.name ?? name.trim());
    onChange([...new Set(canCreate ? spelt : spelt.filter((name) => tags.has(name.toLowerCase())))]);
  };
  return (
    <TagsInput
      placeholder={value.length === 0 ? t("tags.pick") : ""}
      {...(isNew ? { description: t(canCreate ? "tags.enterCreates" : "tags.noneOfThatName", { name: typed }) } : {})}
      inputWrapperOrder={["label", "input", "description", "error"]}
      {...props}
      data={offered ?? names}
      value={value}
      onChange={accept}
      searchValue={search}
      onSearchChange={setSearch}
      limit={30}
      withScrollArea={false}
      styles={{
        options: { maxHeight: 240, overflowY: "auto" },
        pillsList: { maxHeight: 120, overflowY: "auto" },
      }}
      renderOption={({ option }) => <TagOption name={option.value} tag={tags.get(option.value.toLowerCase())} />}
      renderPill={({ value: name, onRemove, disabled }) => (
        <Pill
          withRemoveButton={!disabled}
          {...(onRemove ? { onRemove } : {})}
          removeButtonProps={{ "aria-label": t("tags.takeOff", { name: String(name) }) }}
        >
          <Dot color={tags.get(String(name).toLowerCase())?.color} />
          {String(name)}
        </Pill>
      )}
    />
  );
}

function Dot({ color = "gray" }: { color?: string | undefined }) {
  return (
    <span aria-hidden style={{ color: cssColor(color), marginInlineEnd: 4 }}>
      {"●"}
    </span>
  );
}

function TagOption({ name, tag }: { name: string; tag: Tag | undefined }) {
  return (
    <Group justify="space-between" wrap="nowrap" flex={1} gap="xs">
      <TagChip name={name} color={tag?.color} />
      <Text size="xs" c="dimmed">
        {formatNumber(tag?.document_count ?? 0)}
      </Text>
    </Group>
  );
}
