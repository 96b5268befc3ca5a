import { Button, Select, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCollections } from "@/features/collections/use-collections";

interface MoveFormProps {
  onMove: (collectionId: string) => void;
}

/** Choose the collection that documents move to. */
export function MoveForm({ onMove }: MoveFormProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | null>(null);
  const collections = useCollections().data ?? [];
  return (
    <Stack>
      <Select
        label={t("documents.move.to")}
        placeholder={t("documents.move.choose")}
        data={collections.filter((one) => one.can_write).map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={setChosen}
        searchable
        data-autofocus
        // the list would hide what the dialog says and its button
        openOnFocus={false}
        comboboxProps={{ withinPortal: true }}
        nothingFoundMessage={t("documents.filter.none")}
      />
      <Button disabled={chosen === null} onClick={() => chosen && onMove(chosen)}>
        {t("documents.move.title")}
      </Button>
    </Stack>
  );
}
