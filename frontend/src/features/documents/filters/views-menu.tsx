import { Button, Menu, TextInput } from "@mantine/core";
import { IconBookmark, IconTrash } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { countConditions, type DocumentsSearch } from "@/features/documents/documents-search";
import { openDialog } from "@/shared/dialog";
import { BUILT_IN_VIEWS, type SavedView, useSavedViews } from "./use-saved-views";

interface ViewsMenuProps {
  userId: string;
  search: DocumentsSearch;
  onOpen: (view: DocumentsSearch) => void;
}

/** Filters to come back to: three that everybody needs, and those that a person named. */
export function ViewsMenu({ userId, search, onOpen }: ViewsMenuProps) {
  const { t } = useTranslation();
  const { views, save, remove } = useSavedViews(userId);
  const canSave = countConditions(search) > 0 || search.sort !== undefined;
  const askName = () =>
    openDialog(t("documents.views.saveTitle"), (close) => (
      <NameForm
        onSave={(name) => {
          save(name, search);
          close();
        }}
      />
    ));
  return (
    <Menu position="bottom-start" withinPortal shadow="md">
      <Menu.Target>
        <Button variant="default" fw={500} leftSection={<IconBookmark size={16} aria-hidden />}>
          {t("documents.views.title")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown maw="min(24rem, calc(100vw - 2rem))">
        {BUILT_IN_VIEWS.map((view) => (
          <Menu.Item key={view.name} onClick={() => onOpen(view.search)}>
            {t(`documents.views.builtIn.${view.name}`)}
          </Menu.Item>
        ))}
        {views.length > 0 ? <Menu.Label>{t("documents.views.mine")}</Menu.Label> : null}
        {views.map((view) => (
          <ViewItem key={view.name} view={view} onOpen={() => onOpen(view.search)} onRemove={() => remove(view.name)} />
        ))}
        <Menu.Divider />
        <Menu.Item disabled={!canSave} onClick={askName}>
          {t("documents.views.save")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ViewItem({ view, onOpen, onRemove }: { view: SavedView; onOpen: () => void; onRemove: () => void }) {
  const { t } = useTranslation();
  return (
    <div style={{ display: "flex" }}>
      <Menu.Item flex={1} miw={0} style={{ overflowWrap: "anywhere" }} onClick={onOpen}>
        {view.name}
      </Menu.Item>
      <Menu.Item w="auto" aria-label={t("documents.views.remove", { name: view.name })} onClick={onRemove}>
        <IconTrash size={16} aria-hidden style={{ display: "block" }} />
      </Menu.Item>
    </div>
  );
}

function NameForm({ onSave }: { onSave: (name: string) => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) onSave(name.trim());
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label={t("documents.views.name")}
        value={name}
        maxLength={60}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" mt="md" fullWidth disabled={!name.trim()}>
        {t("actions.save")}
      </Button>
    </form>
  );
}
