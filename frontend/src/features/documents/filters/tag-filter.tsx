import { Checkbox, ScrollArea, Text, TextInput } from "@mantine/core";
import { useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentsSearch } from "@/features/documents/documents-search";
import { TagChip } from "@/features/tags/tag-chip";
import { type Tag, useTagMap } from "@/features/tags/use-tags";
import { formatNumber } from "@/lib/format";
import type { Changes } from "@/lib/search-params";
import { FilterButton } from "./filter-menu";
import styles from "./tag-filter.module.css";
import { chosenTags, onlyUntagged, TAG_STATES, type TagState, tagState, withTagState } from "./tag-states";

interface TagFilterProps {
  search: DocumentsSearch;
  onChange: (change: Changes<DocumentsSearch>) => void;
}

/** Each tag may be one of those wanted, one that must be there, or one that must not. */
export function TagFilter({ search, onChange }: TagFilterProps) {
  const { t } = useTranslation();
  const count = chosenTags(search).length + (search.untagged ? 1 : 0);
  return (
    <FilterButton label={t("documents.filter.tags")} count={count} width={340}>
      <TagStates search={search} onChange={onChange} />
    </FilterButton>
  );
}

const SHOWN = 30;

/** Chosen ones first, then those that most documents carry. */
function order(tags: ReadonlyMap<string, Tag>, search: DocumentsSearch, text: string): Tag[] {
  const wanted = text.trim().toLowerCase();
  return [...tags.values()]
    .filter((tag) => tag.name.toLowerCase().includes(wanted))
    .sort(
      (a, b) =>
        Number(tagState(search, b.name) !== null) - Number(tagState(search, a.name) !== null) ||
        b.document_count - a.document_count ||
        a.name.localeCompare(b.name),
    );
}

function TagStates({ search, onChange }: TagFilterProps) {
  const { t } = useTranslation();
  const tags = useTagMap();
  const [text, setText] = useState("");
  // The order stays while states are clicked: rows must not jump away under the pointer.
  const [atOpening] = useState(search);
  // The rows are drawn when the keyboard leaves time for it.
  const wanted = useDeferredValue(text);
  const found = useMemo(() => order(tags, atOpening, wanted), [tags, atOpening, wanted]);
  return (
    <>
      <TextInput
        size="xs"
        data-autofocus
        aria-label={t("documents.filter.findTag")}
        placeholder={t("documents.filter.findTag")}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Checkbox
        my="xs"
        px={4}
        size="sm"
        label={t("documents.filter.untagged")}
        checked={search.untagged ?? false}
        onChange={(event) => onChange(event.currentTarget.checked ? onlyUntagged(search) : { untagged: undefined })}
      />
      <ScrollArea.Autosize mah={320} offsetScrollbars="present" type="auto">
        {found.slice(0, SHOWN).map((tag) => (
          <TagRow
            key={tag.id}
            tag={tag}
            state={tagState(search, tag.name)}
            onChange={(state) => onChange(withTagState(search, tag.name, state))}
          />
        ))}
        {found.length === 0 ? (
          <Text size="sm" c="dimmed" p={4}>
            {t(tags.size === 0 ? "tags.noneYet" : "documents.filter.none")}
          </Text>
        ) : null}
        {found.length > SHOWN ? (
          <Text size="xs" c="dimmed" p={4}>
            {t("documents.filter.typeToFind", { count: found.length - SHOWN })}
          </Text>
        ) : null}
      </ScrollArea.Autosize>
    </>
  );
}

interface TagRowProps {
  tag: Tag;
  state: TagState | null;
  onChange: (state: TagState | null) => void;
}

function TagRow({ tag, state, onChange }: TagRowProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.row}>
      <span className={styles.name}>
        <TagChip name={tag.name} color={tag.color} />
        <span className={styles.count}>{formatNumber(tag.document_count)}</span>
      </span>
      <fieldset className={styles.states} aria-label={tag.name}>
        {TAG_STATES.map((one) => (
          <button
            key={one}
            type="button"
            data-state={one}
            aria-pressed={state === one}
            title={t(`documents.tagState.${one}.long`, { name: tag.name })}
            onClick={() => onChange(state === one ? null : one)}
          >
            {t(`documents.tagState.${one}.short`)}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
