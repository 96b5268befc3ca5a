import { Button, Group, Pill } from "@mantine/core";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { DocumentsSearch } from "@/features/documents/documents-search";
import { typeName } from "@/features/documents/status/document-status";
import { formatDate, languageName } from "@/lib/format";
import { FoldedList } from "@/shared/folded-list";
import type { SearchChange } from "./filters-bar";
import { chosenTags, withTagState } from "./tag-states";

interface Condition {
  label: string;
  without: SearchChange;
}

const without = <T,>(items: T[] | undefined, item: T) => items?.filter((one) => one !== item);

/** Each condition in words, with the change that takes it away. */
function conditions(search: DocumentsSearch, t: TFunction): Condition[] {
  const { collections = [], status = [], types = [], languages = [] } = search;
  return [
    ...chosenTags(search).map(({ name, state }) => ({
      label: t(`documents.tagState.${state}.long`, { name }),
      without: withTagState(search, name, null),
    })),
    ...(search.untagged ? [{ label: t("documents.filter.untagged"), without: { untagged: undefined } }] : []),
    ...(search.shared ? [{ label: t("documents.views.builtIn.shared"), without: { shared: undefined } }] : []),
    ...collections.map((name) => ({ label: name, without: { collections: without(collections, name) } })),
    ...status.map((one) => ({
      label: t(`documents.statusName.${one}`),
      without: { status: without(status, one) },
    })),
    ...types.map((type) => ({
      label: typeName(type, t),
      without: { types: without(types, type) },
    })),
    ...languages.map((code) => ({
      label: languageName(code),
      without: { languages: without(languages, code) },
    })),
    ...dates(search, t),
  ];
}

function dates({ from, to }: DocumentsSearch, t: TFunction): Condition[] {
  const day = (date: string) => formatDate(`${date}T12:00`);
  return [
    ...(from ? [{ label: t("documents.filter.fromDay", { day: day(from) }), without: { from: undefined } }] : []),
    ...(to ? [{ label: t("documents.filter.toDay", { day: day(to) }), without: { to: undefined } }] : []),
  ];
}

interface ActiveFiltersProps {
  search: DocumentsSearch;
  onChange: (change: SearchChange) => void;
  onClear: () => void;
}

export function ActiveFilters({ search, onChange, onClear }: ActiveFiltersProps) {
  const { t } = useTranslation();
  const items = conditions(search, t);
  if (items.length === 0) return null; // the search field clears its own words
  return (
    <Group gap={6} mb="sm">
      <FoldedList>
        {items.map((condition) => (
          <Pill
            key={condition.label}
            size="md"
            bg="var(--lectern-selected)"
            withRemoveButton
            onRemove={() => onChange(condition.without)}
            removeButtonProps={{
              "aria-label": t("documents.filter.remove", { condition: condition.label }),
              tabIndex: 0,
              "aria-hidden": false,
            }}
          >
            {condition.label}
          </Pill>
        ))}
      </FoldedList>
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        {t("documents.filter.clear")}
      </Button>
    </Group>
  );
}
