import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { notifyDone } from "@/shared/notify";
import { ProblemAlert } from "@/shared/states";
import { TagChip } from "./tag-chip";
import { type Tag, useTagMap, useTagMutations } from "./use-tags";

interface MergeFormProps {
  /** Tags to merge. Of several tags, one may be the target. */
  tags: Tag[];
  onDone: () => void;
}

/** Make several tags one. */
export function MergeForm({ tags, onDone }: MergeFormProps) {
  const { t } = useTranslation();
  const all = useTagMap();
  const { merge } = useTagMutations();
  const [targetId, setTargetId] = useState<string | null>(tags.length > 1 ? (tags[0]?.id ?? null) : null);
  const ending = tags.filter((tag) => tag.id !== targetId);
  const choices = [...all.values()].filter((tag) => tags.length > 1 || tag.id !== tags[0]?.id);

  function submit() {
    if (!targetId) return;
    merge.mutate(
      { params: { path: { tag_id: targetId } }, body: { tags: ending.map(({ id }) => id) } },
      {
        onSuccess: ({ tag, retagged_documents: count }) => {
          notifyDone(t("tags.merge.done", { name: tag.name, count }));
          onDone();
        },
      },
    );
  }

  return (
    <Stack>
      <ProblemAlert error={merge.error} />
      <Select
        label={t("tags.merge.into")}
        data={choices.map(({ id, name }) => ({ value: id, label: name }))}
        value={targetId}
        onChange={setTargetId}
        searchable
        limit={50}
        data-autofocus
        // the list would hide what the dialog says and its button
        openOnFocus={false}
        nothingFoundMessage={t("documents.filter.none")}
      />
      <div>
        <Text size="sm" mb={4}>
          {t("tags.merge.ending")}
        </Text>
        <Group gap={6}>
          {ending.map((tag) => (
            <TagChip key={tag.id} name={tag.name} color={tag.color} />
          ))}
        </Group>
      </div>
      <Text size="sm" c="dimmed">
        {t("tags.merge.note")}
      </Text>
      <Button disabled={!targetId || ending.length === 0} loading={merge.isPending} onClick={submit}>
        {t("tags.merge.action")}
      </Button>
    </Stack>
  );
}
