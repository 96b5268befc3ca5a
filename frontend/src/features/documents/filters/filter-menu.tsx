import { Button, Checkbox, Popover, ScrollArea, Stack, Text, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

interface FilterButtonProps {
  label: string;
  count: number;
  width?: number;
  children: ReactNode;
}

/** A button that opens conditions and says how many of them hold. */
export function FilterButton({ label, count, width = 260, children }: FilterButtonProps) {
  return (
    <Popover width={width} position="bottom-start" shadow="md" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={count > 0 ? "light" : "default"}
          size="sm"
          fw={500}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {label}
          {count > 0 ? ` · ${count}` : ""}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs">{children}</Popover.Dropdown>
    </Popover>
  );
}

interface FilterOption {
  value: string;
  label: string;
  note?: string;
}

interface FilterMenuProps {
  label: string;
  options: FilterOption[];
  value: string[];
  onChange: (value: string[]) => void;
}

const SEARCHABLE_FROM = 9;
const SHOWN = 100;

/** Conditions of which any may hold. */
export function FilterMenu({ label, options, value, onChange }: FilterMenuProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = options.filter((option) => option.label.toLowerCase().includes(wanted));
  return (
    <FilterButton label={label} count={value.length}>
      {options.length >= SEARCHABLE_FROM ? (
        <TextInput
          size="xs"
          mb="xs"
          aria-label={t("documents.filter.find", { label })}
          placeholder={t("documents.filter.find", { label })}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      ) : null}
      <ScrollArea.Autosize mah={300} offsetScrollbars="present" type="auto">
        <Checkbox.Group value={value} onChange={onChange} aria-label={label}>
          <Stack gap={6} p={4}>
            {found.slice(0, SHOWN).map((option) => (
              <Checkbox
                key={option.value}
                value={option.value}
                size="sm"
                label={
                  <>
                    {option.label}
                    {option.note ? (
                      <Text span size="xs" c="dimmed" ms={6}>
                        {option.note}
                      </Text>
                    ) : null}
                  </>
                }
              />
            ))}
          </Stack>
        </Checkbox.Group>
        {found.length === 0 ? (
          <Text size="sm" c="dimmed" p={4}>
            {t("documents.filter.none")}
          </Text>
        ) : null}
      </ScrollArea.Autosize>
    </FilterButton>
  );
}
