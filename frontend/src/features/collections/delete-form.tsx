import { Button, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { notifyDone } from "@/shared/notify";
import { ProblemAlert } from "@/shared/states";
import { type Collection, useCollectionMutations, useCollections } from "./use-collections";

interface DeleteFormProps {
  collection: Collection;
  onDone: () => void;
}

/** Delete a collection; its documents move to another one first. */
export function DeleteForm({ collection, onDone }: DeleteFormProps) {
  const { t } = useTranslation();
  const { remove } = useCollectionMutations();
  const others = (useCollections().data ?? []).filter((one) => one.id !== collection.id);
  const [target, setTarget] = useState<string | null>(null);
  const isFull = collection.document_count > 0;

  function submit() {
    const params = {
      path: { collection_id: collection.id },
      ...(target ? { query: { move_to: target } } : {}),
    };
    remove.mutate(
      { params },
      {
        onSuccess: () => {
          notifyDone(t("collections:delete.done", { name: collection.name }));
          onDone();
        },
      },
    );
  }

  return (
    <Stack>
      <ProblemAlert error={remove.error} />
      <Text size="sm">
        {t(isFull ? "collections:delete.full" : "collections:delete.empty", {
          count: collection.document_count,
        })}
      </Text>
      <Select
        label={t(isFull ? "collections:delete.moveTo" : "collections:delete.trashTo")}
        description={t(isFull ? "collections:delete.trashToo" : "collections:delete.trashOnly")}
        data={others.map(({ id, name }) => ({ value: id, label: name }))}
        value={target}
        onChange={setTarget}
        clearable={!isFull}
        searchable
        data-autofocus
        // the list would hide what the dialog says and its button
        openOnFocus={false}
      />
      <Button variant="danger" loading={remove.isPending} disabled={isFull && !target} onClick={submit}>
        {t("collections:delete.action")}
      </Button>
    </Stack>
  );
}
